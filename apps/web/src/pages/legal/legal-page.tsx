import { useEffect, useLayoutEffect, useRef } from 'react';
import { servedDocument } from '../../boot.ts';
import { useLocale } from '../../i18n/use-locale.ts';

/** A document for everybody, in the words and the markup of the server. */
export const LegalPage = () => {
  const locale = useLocale();
  const place = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!servedDocument) return;
    place.current?.replaceChildren(servedDocument);
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);

  useEffect(() => {
    if (!servedDocument || servedDocument.lang === locale) return;
    const url = new URL(location.href);
    // The choice just made is in the cookie; the address may name another.
    if (url.searchParams.has('lang')) {
      url.searchParams.delete('lang');
      location.replace(url);
    } else location.reload();
  }, [locale]);

  return <div ref={place} />;
};
