const reloadedKey = 'candela.reloaded-for';

/** Whether a text field holds input, which leaving the page would lose. */
export const isDirty = (within: ParentNode): boolean =>
  [...within.querySelectorAll('input, textarea')].some(
    (field) =>
      (field instanceof HTMLTextAreaElement ||
        !['checkbox', 'radio'].includes((field as HTMLInputElement).type)) &&
      (field as HTMLInputElement).value !== '',
  );

/** The build of this page: the name of the entry script has a hash over all its imports. */
const buildId = (): string =>
  document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '';

/** Records a reload for this build. False when a reload is recorded already, or when storage is blocked. */
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

let isReloading = false;

/**
 * Reloads the page, once for each build and never over a form that holds input. Call this when a part does not load
 * although the server answers. True for each further call while
 * the page goes.
 */
export const reloadOnce = (): boolean => {
  if (isReloading) return true;
  if (isDirty(document) || !takeReload()) return false;
  isReloading = true;
  location.reload();
  return true;
};
