import type { PathWith } from '@candela/contract/pages';

/** The sections of a client’s page in their order, by the part of the page that has them. */
const sectionsOf = {
  overview: ['status', 'linkCheck', 'facts', 'secrets', 'errors', 'usage'],
  settings: ['addresses', 'permissions', 'links', 'preview', 'signals', 'ending'],
  code: ['tryIt', 'snippets'],
  team: ['members', 'history'],
} as const;

/** A part of a client’s page, which has an address of its own. */
export type PartName = keyof typeof sectionsOf;
export type SectionName = (typeof sectionsOf)[PartName][number];

export const partNames = Object.keys(sectionsOf) as PartName[];

/** The page of each part, in the contract. */
const partPages = {
  overview: '/developers/:id',
  settings: '/developers/:id/settings',
  code: '/developers/:id/code',
  team: '/developers/:id/team',
} as const satisfies Record<PartName, PathWith<{ texts: 'developers' }>>;

/** The path of a client’s page, or of a part of it. */
export const pageOf = (id: string, part: PartName = 'overview'): string =>
  partPages[part].replace(':id', () => encodeURIComponent(id));

/** The part that has a section; undefined where there is no such section. */
export const partWith = (section: string): PartName | undefined =>
  partNames.find((part) => (sectionsOf[part] as readonly string[]).includes(section));

/** The address of a section of a client’s page. */
export const sectionOf = (id: string, section: SectionName): string =>
  `${pageOf(id, partWith(section))}#${section}`;
