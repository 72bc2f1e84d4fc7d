const SENTENCES = 4;
const LENGTH = 300;

/** A parser quotes what it read, and an answer may hold a token. */
const sentenceOf = (error: Error): string => (error instanceof SyntaxError ? 'not JSON' : error.message);

/**
 * What was wrong, for the log, as providers and libraries say it along a chain of causes; undefined where nobody said
 * anything. It holds no token and no secret.
 */
export const detailOf = (error: unknown): string | undefined => {
  const sentences: string[] = [];
  for (let at = error; at instanceof Error && sentences.length < SENTENCES; at = at.cause)
    sentences.push(sentenceOf(at));
  return sentences.length > 0 ? sentences.join(': ').slice(0, LENGTH) : undefined;
};
