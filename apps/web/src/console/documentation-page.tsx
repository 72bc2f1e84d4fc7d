import { DOCUMENTATION_PAGE } from '@candela/contract/pages';
import { useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { CopyButton } from '../flow/components/copy-button.tsx';
import { NotFoundPage } from '../flow/pages/error/error-page.tsx';
import { BackLink } from '../portal/account/list-heading.tsx';
import { servedDocument } from '../shell/boot.ts';
import { useLocale } from '../shell/language/use-locale.ts';
import styles from './documentation-page.module.css';

/** A block of code, and the place of its button. */
interface Block {
  place: HTMLElement;
  text: string;
  language: string;
}

const blocksOf = (document: HTMLElement): Block[] =>
  [...document.querySelectorAll<HTMLElement>('.code')].map((box) => {
    const code = box.querySelector('code');
    const place = box.appendChild(
      Object.assign(box.ownerDocument.createElement('div'), { className: 'copy' }),
    );
    return { place, text: code?.textContent ?? '', language: code?.dataset.language ?? '' };
  });

const Guide = ({ document }: { document: HTMLElement }) => {
  const { t } = useTranslation('developers');
  const locale = useLocale();
  const { pathname } = useLocation();
  const place = useRef<HTMLDivElement>(null);
  const [blocks, setBlocks] = useState<readonly Block[]>([]);

  useLayoutEffect(() => {
    place.current?.replaceChildren(document);
    setBlocks(blocksOf(document));
    document.ownerDocument.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
    return () => {
      for (const left of document.querySelectorAll('.copy')) left.remove();
    };
  }, [document]);

  return (
    <>
      {pathname === DOCUMENTATION_PAGE ? (
        <BackLink to="/developers">{t('developers.title')}</BackLink>
      ) : (
        <BackLink to={DOCUMENTATION_PAGE} reloadDocument>
          {t('documentation.title')}
        </BackLink>
      )}
      {locale !== 'en' && <p className={styles.note}>{t('documentation.english')}</p>}
      <div ref={place} />
      {blocks.map(({ place: own, text, language }, index) =>
        createPortal(<CopyButton text={text} label={t('client.copyOf', { what: language })} />, own, index),
      )}
    </>
  );
};

/** A page of the documentation, with the markup of the server. */
export const DocumentationPage = () =>
  servedDocument ? <Guide document={servedDocument} /> : <NotFoundPage />;
