const reloadedKey = 'candela.reloaded-for';

let reloading = false;

/** The page is being loaded anew: what could not be loaded need not be told. */
export const isReloading = (): boolean => reloading;

/** Somebody has typed something there that leaving the page would lose. */
export const isDirty = (within: ParentNode): boolean =>
  [...within.querySelectorAll('input, textarea')].some(
    (field) =>
      (field instanceof HTMLTextAreaElement ||
        !['checkbox', 'radio'].includes((field as HTMLInputElement).type)) &&
      (field as HTMLInputElement).value !== '',
  );

/** The build of this page: its entry bears the hash of all that it imports. */
const buildId = (): string =>
  document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '';

/** Notes a reload for this build; false if there was one, or it cannot be noted. */
const takeReload = (): boolean => {
  try {
    const done = (sessionStorage.getItem(reloadedKey) ?? '').split(' ');
    const build = buildId();
    if (done.includes(build)) return false;
    sessionStorage.setItem(reloadedKey, [...done, build].join(' ').trim());
    return true;
  } catch {
    return false;
  }
};

/**
 * A chunk of an earlier release is gone: the page is loaded anew, once for each build, and never over a form
 * in use. Otherwise the error goes its way, to the notice of a new version.
 */
export const reloadOnLostChunk = (): void => {
  addEventListener('vite:preloadError', (event) => {
    if (!reloading && (isDirty(document) || !takeReload())) return;
    event.preventDefault();
    if (reloading) return;
    reloading = true;
    location.reload();
  });
};
