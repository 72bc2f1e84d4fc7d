const reloadedKey = 'candela.reloaded-for';

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
 * Loads the page anew when a part of it is lost although the server answers: once for each build, and never
 * over a form in use.
 */
export const reloadOnce = (): boolean => {
  if (isDirty(document) || !takeReload()) return false;
  location.reload();
  return true;
};
