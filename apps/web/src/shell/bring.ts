const answerTimeoutMs = 10_000;

/** Why a part did not load: no server answered, its release is gone, or only a new page can load it. */
export type Loss = 'unreachable' | 'outdated' | 'broken';

/** A part of the application that did not load. */
export class LostPartError extends Error {
  readonly why: Loss;

  constructor(why: Loss, options?: ErrorOptions) {
    super(`A part of the page is lost: ${why}`, options);
    this.name = 'LostPartError';
    this.why = why;
  }
}

/** Whether the server answers. A part that does not load while the server answers is lost. */
export const serverAnswers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(answerTimeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The file whose import failed; Safari does not name it. */
const fileOf = (error: unknown): URL | undefined => {
  const address = error instanceof Error && /\S+\.(?:js|css)\b/.exec(error.message)?.[0];
  return address ? new URL(address, location.href) : undefined;
};

/** Another address of the same file. The browser remembers no failed import of that address. */
const anew = ({ origin, pathname }: URL): string => `${origin}${pathname}?again=${Date.now()}`;

/** Addresses of stylesheets that failed. Vite asks for each once, and treats a failed one as loaded. */
const lostStyles = new Set<string>();

const bringStyles = async (): Promise<void> => {
  for (const file of lostStyles) {
    // Another part that loads meanwhile does not bring it too.
    lostStyles.delete(file);
    await new Promise((resolve, reject) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.onload = resolve;
      link.onerror = (event) => {
        lostStyles.add(file);
        reject(event);
      };
      link.href = anew(new URL(file));
      document.head.append(link);
    });
  }
};

const lossOf = async (file: URL | undefined): Promise<Loss> => {
  // The Content Security Policy allows requests to the page's own origin only.
  if (file?.origin !== location.origin) return 'broken';
  const answer = await fetch(file, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (!answer) return 'unreachable';
  return answer.status === 404 ? 'outdated' : 'broken';
};

/**
 * Imports a part of the application. A browser remembers a failed import for as long as the page lives (HTML,
 * "fetch a single module script"). So an import waits for the network, and a failed import is tried again by
 * another address once the server answers.
 * @throws {LostPartError}
 */
export const bring = async <Module>(load: () => Promise<Module>): Promise<Module> => {
  if (navigator.onLine === false && !(await serverAnswers())) throw new LostPartError('unreachable');
  let file: URL | undefined;
  try {
    if (lostStyles.size === 0) return await load();
  } catch (error) {
    file = fileOf(error);
    if (file?.pathname.endsWith('.css')) lostStyles.add(file.href);
  }
  if (!(await serverAnswers())) throw new LostPartError('unreachable');
  try {
    await bringStyles();
    if (file?.pathname.endsWith('.js')) return (await import(/* @vite-ignore */ anew(file))) as Module;
    return await load();
  } catch (cause) {
    throw new LostPartError(await lossOf(fileOf(cause) ?? file), { cause });
  }
};
