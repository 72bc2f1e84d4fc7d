import { UAParser } from 'ua-parser-js';

/** What a user agent string tells; empty strings where it does not. */
export const readUserAgent = (userAgent: string) => {
  const { browser, os, device } = new UAParser(userAgent).getResult();
  const name = (value: string | undefined) => value ?? '';
  return {
    browser: { name: name(browser.name), version: name(browser.version) },
    platform: name(device.type) || (os.name ? 'desktop' : ''),
    os: { name: name(os.name), version: name(os.version) },
    userAgent,
  };
};
