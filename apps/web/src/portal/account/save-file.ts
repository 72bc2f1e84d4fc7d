/** Hands a file to the browser, which saves it. */
export const saveFile = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser has taken the file by the next minute.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
