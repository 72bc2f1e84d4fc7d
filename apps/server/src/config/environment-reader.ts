import { readFileSync } from 'node:fs';

/** The environment of a process. */
export type Env = Record<string, string | undefined>;

/** Reads settings by their names; what is wrong with one joins `problems`. `NAME_FILE` stands for a NAME that is not set. */
export const createReader = (env: Env, problems: string[]) => {
  const text = (name: string): string | undefined => {
    const file = env[`${name}_FILE`];
    if (file && !env[name]) {
      try {
        const content = readFileSync(file, 'utf8').trim();
        if (content === '') problems.push(`${name}_FILE ${file} is empty`);
        return content || undefined;
      } catch (error) {
        problems.push(`${name}_FILE cannot be read: ${(error as Error).message}`);
      }
    }
    return env[name] || undefined;
  };
  const integer = <Fallback extends number | undefined>(
    name: string,
    fallback: Fallback,
    { min = 0, max = 2 ** 31 - 2 } = {},
  ): number | Fallback => {
    const value = text(name);
    if (value === undefined) return fallback;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`);
    return fallback;
  };
  const oneOf = <T extends string>(name: string, values: readonly [T, ...T[]]): T => {
    const value = text(name);
    const found = values.find((candidate) => candidate === value);
    if (value !== undefined && !found)
      problems.push(`${name} must be one of ${values.join(', ')}, not "${value}"`);
    return found ?? values[0];
  };
  const list = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  return { text, integer, oneOf, list };
};
