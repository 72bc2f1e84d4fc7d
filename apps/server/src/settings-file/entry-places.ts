export interface EntryPlace {
  /** The field that identifies an entry. */
  field: string;
  /** Its values, of all entries of the file. */
  ids: readonly string[];
  /** The entry's among them. */
  index: number;
  brand: string | undefined;
  /** Ids of the brands that are served; undefined where nobody can tell. */
  brands: readonly string[] | undefined;
}

/** What is wrong with an entry of a file beside the others, and with its brand. */
export const findPlaceProblems = ({ field, ids, index, brand, brands }: EntryPlace): string[] => {
  const problems: string[] = [];
  const id = ids[index] ?? '';
  if (ids.indexOf(id) !== index) problems.push(`.${field} "${id}" stands there twice`);
  if (brand !== undefined && brands && !brands.includes(brand))
    problems.push(`.brand "${brand}" is not served: served are ${brands.join(', ')}`);
  return problems;
};
