import type { ClientEntry } from './client-entry.ts';
import { faultAt, type RegistrationFault } from './fault.ts';
import { platformMetadataNames } from './policy-metadata.ts';
import { type PlatformRedirects, platformIdFields } from './preset.ts';
import { presets } from './presets.ts';

/** Finds redirect URIs, or an id in their place, that are not of the platform of the preset `name`. */
export const findPlatformFaults = (
  entry: ClientEntry,
  { id, form, example }: PlatformRedirects,
  name: string,
): RegistrationFault[] => {
  const given = id && entry[id.field];
  if (id && given !== undefined) {
    if (entry.redirect_uris)
      return [faultAt(id.field, 'value_invalid', 'stands for redirect_uris: leave one of the two out')];
    return id.form.test(given) ? [] : [faultAt(id.field, 'value_invalid', `must look like "${id.example}"`)];
  }
  if (id && !entry.redirect_uris)
    return [
      faultAt(
        id.field,
        'uris_missing',
        `is missing: preset ${name} takes it, or the redirect_uris themselves`,
      ),
    ];
  return (entry.redirect_uris ?? []).flatMap((uri, index) =>
    form.test(uri)
      ? []
      : [
          faultAt(
            `redirect_uris[${index}]`,
            'uri_not_of_platform',
            `is none of preset ${name}, such as ${example}`,
          ),
        ],
  );
};

const presetEntries = Object.entries(presets);

/** Finds ids of platforms that the preset of the entry does not take. */
export const findStrayIds = (entry: ClientEntry): RegistrationFault[] =>
  platformIdFields.flatMap((field) => {
    const [owner] = presetEntries.find(([, { redirects }]) => redirects?.id?.field === field) ?? [];
    if (entry[field] === undefined || entry.preset === owner) return [];
    return [faultAt(field, 'preset_forbids', `goes with preset ${owner}`)];
  });

/** Finds what only the preset of a platform sets, in an entry of another preset or of none. */
export const findStrayRules = (entry: ClientEntry): RegistrationFault[] =>
  platformMetadataNames.flatMap((field) => {
    const own = entry.preset && presets[entry.preset].defaults[field];
    if (entry[field] === undefined || entry[field] === own) return [];
    return [faultAt(field, 'preset_forbids', 'is set by presets of platforms alone: leave it out')];
  });
