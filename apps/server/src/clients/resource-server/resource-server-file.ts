import { findPlaceProblems } from '../../ground/settings-file/entry-places.ts';
import { readSettingsFile, type SettingsFile } from '../../ground/settings-file/settings-file.ts';
import { ConfigError } from '../../ground/start-error.ts';
import { ResourceServerEntries, type ResourceServerEntry } from './resource-server-entry.ts';

/**
 * Reads a file of resource servers.
 * @param brands the ids of the brands; undefined where they are not known.
 * @throws ConfigError naming the file, and each place in it that is wrong.
 */
export const readResourceServerFile = (
  file: SettingsFile,
  brands: readonly string[] | undefined,
): ResourceServerEntry[] => {
  const entries = readSettingsFile(file, ResourceServerEntries);
  const identifiers = entries.map(({ identifier }) => identifier);
  const problems = entries.flatMap(({ brand }, index) =>
    findPlaceProblems({ field: 'identifier', ids: identifiers, index, brand, brands }).map(
      (problem) => `${file.name}: [${index}]${problem}`,
    ),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return entries;
};
