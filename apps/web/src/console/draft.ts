import type { CreateClient } from '@candela/contract';
import type { OfferedPreset } from './preset-choice.tsx';

/** The answers of the form that registers a client. The answers to other kinds stay while the kind changes. */
export interface Draft {
  preset: OfferedPreset;
  name: string;
  uris: readonly string[];
  vendorId: string;
  projectId: string;
}

/** What a kind of app needs to know about the return of people. */
export const returnsTo = {
  web: 'uris',
  spa: 'uris',
  native: 'uris',
  device: 'nowhere',
  alexa: 'vendor',
  'google-home': 'project',
  'home-assistant': 'platform',
  machine: 'nowhere',
} as const satisfies Record<OfferedPreset, string>;

/** The return address of everybody's Home Assistant. */
export const HOME_ASSISTANT_URI = 'https://my.home-assistant.io/redirect/oauth';

const filled = (lines: readonly string[]): string[] => lines.map((line) => line.trim()).filter(Boolean);

/** The registration that the answers make. */
export const bodyOf = ({ preset, name, uris, vendorId, projectId }: Draft): CreateClient => {
  const common = { preset, client_name: name.trim() };
  switch (returnsTo[preset]) {
    case 'uris':
      return { ...common, redirect_uris: filled(uris) };
    case 'vendor':
      return { ...common, vendor_id: vendorId.trim() };
    case 'project':
      return { ...common, project_id: projectId.trim() };
    default:
      return common;
  }
};

/** The same registration as words of the command line. */
export const wordsOf = (draft: Draft): string[] => {
  const { preset, client_name: name = '', redirect_uris: uris, ...others } = bodyOf(draft);
  const redirects = (uris ?? []).flatMap((uri) => ['--redirect-uri', uri]);
  const rest = Object.entries(others).flatMap(([field, value]) => ['--set', `${field}=${value}`]);
  return ['create', '--preset', preset, '--name', name, ...redirects, ...rest];
};

/** The field of the form to which a field of the registration belongs: blank lines are not among its addresses. */
export const formFieldOf = ({ uris }: Draft, field: string): string => {
  if (field === 'redirect_uris') return 'redirect_uris.0';
  const [, place] = /^redirect_uris\.(\d+)$/.exec(field) ?? [];
  if (place === undefined) return field;
  const lines = uris.flatMap((line, index) => (line.trim() ? [index] : []));
  return `redirect_uris.${lines[Number(place)] ?? 0}`;
};
