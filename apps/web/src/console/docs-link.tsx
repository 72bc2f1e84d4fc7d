import { DOCUMENTATION_PAGE } from '@candela/contract/pages';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface DocsLinkProps {
  /** The page of docs/integrating, without `.md`, and the heading; absent: the page about all pages. */
  to?: string;
  children: ReactNode;
}

/** A link to the documentation, beside which the page stays open with what is typed. */
export const DocsLink = ({ to, children }: DocsLinkProps) => {
  const { t } = useTranslation();
  return (
    <a
      href={to === undefined ? DOCUMENTATION_PAGE : `${DOCUMENTATION_PAGE}/${to}`}
      target="_blank"
      rel="noopener"
    >
      {children} <span className="visually-hidden">{t('app.newTab')}</span>
    </a>
  );
};
