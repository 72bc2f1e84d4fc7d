import { type FileHandle, open } from 'node:fs/promises';

/** A refused line as its report tells of it: nothing of what the line says. */
export interface RefusedEntry<Refusal extends string> {
  line: number;
  reason: Refusal;
}

/** Writes the report of refused lines, made at the first refusal: numbers and reasons, and no personal data. */
export const createRefusalReport = <Refusal extends string>(path: string) => {
  let file: FileHandle | undefined;
  return {
    add: async (refused: readonly RefusedEntry<Refusal>[]): Promise<void> => {
      if (refused.length === 0) return;
      file ??= await open(path, 'w', 0o600);
      await file.appendFile(refused.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    },
    /** Answers the path of the report; undefined where no line was refused. */
    close: async (): Promise<string | undefined> => {
      await file?.close();
      return file && path;
    },
  };
};
