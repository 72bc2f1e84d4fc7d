import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { servedDocument } from '../../boot.ts';
import { leaveWhenReachable } from '../../connection/connection.ts';
import { useLocale } from '../../i18n/use-locale.ts';

/** A document for everybody, in the words and the markup of the server. */
export const LegalPage = () => {
  const locale = useLocale();
  // English may stand in for the texts around it: the document is in the language that was asked for.
  const [first] = useState(locale);
  const place = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!servedDocument) return;
    place.current?.replaceChildren(servedDocument);
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);

  useEffect(() => {
    if (!servedDocument || locale === first) return;
    const url = new URL(location.href);
    // The choice just made is in the cookie; the address may name another.
    void leaveWhenReachable(() => {
      if (url.searchParams.has('lang')) {
        url.searchParams.delete('lang');
        location.replace(url);
      } else location.reload();
    });
  }, [locale, first]);

  return <div ref={place} />;
};
