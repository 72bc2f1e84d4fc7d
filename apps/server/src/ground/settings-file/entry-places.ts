export interface EntryPlace {
  /** The field that identifies an entry. */
  field: string;
  /** The values of that field in all entries of the file. */
  ids: readonly string[];
  /** The place of the entry in the file. */
  index: number;
  brand: string | undefined;
  /** Ids of the brands that are served; undefined where BRANDS_FILE is wrong. */
  brands: readonly string[] | undefined;
}

/** Finds an id that stands twice in a file, and a brand that is not served. */
export const findPlaceProblems = ({ field, ids, index, brand, brands }: EntryPlace): string[] => {
  const problems: string[] = [];
  const id = ids[index] ?? '';
  if (ids.indexOf(id) !== index) problems.push(`.${field} "${id}" stands there twice`);
  if (brand !== undefined && brands && !brands.includes(brand))
    problems.push(`.brand "${brand}" is not served: served are ${brands.join(', ')}`);
  return problems;
};
