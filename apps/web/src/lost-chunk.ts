const reloadedKey = 'candela.reloaded-for';

/** Whether something has been typed that would be lost by leaving the page. */
export const isDirty = (within: ParentNode): boolean =>
  [...within.querySelectorAll('input, textarea')].some(
    (field) =>
      (field instanceof HTMLTextAreaElement ||
        !['checkbox', 'radio'].includes((field as HTMLInputElement).type)) &&
      (field as HTMLInputElement).value !== '',
  );

/** The build of this page: the name of its entry has the hash of all that it imports. */
const buildId = (): string =>
  document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '';

/** Records a reload for this build; false where one is recorded already, or none can be. */
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
 * Loads the page anew, once for each build and never over a form in use. For a page of which a part cannot be loaded
 * although the server answers.
 */
export const reloadOnce = (): boolean => {
  if (isDirty(document) || !takeReload()) return false;
  location.reload();
  return true;
};
