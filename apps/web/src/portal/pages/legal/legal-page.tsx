import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { servedDocument } from '../../../shell/boot.ts';
import { leaveWhenReachable } from '../../../shell/connection/connection.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';

/** A legal document, with the text and the markup of the server. */
export const LegalPage = () => {
  const locale = useLocale();
  // The document has the requested language, even where English replaces the texts around it.
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
    // The cookie has the new choice. The address may name another language.
    void leaveWhenReachable(() => {
      if (url.searchParams.has('lang')) {
        url.searchParams.delete('lang');
        location.replace(url);
      } else location.reload();
    });
  }, [locale, first]);

  return <div ref={place} />;
};
