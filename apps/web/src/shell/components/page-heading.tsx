import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { boot } from '../boot.ts';
import { isFieldFocused } from '../forms/use-first-focus.ts';
import { announce } from './announcer.tsx';

let lastKey: string | undefined;

interface PageHeadingProps {
  /** The title of the page and of the document. */
  title: string;
  /** The form on the page has been refused. */
  invalid?: boolean;
  /** The text of the heading, if other than the title. */
  children?: ReactNode;
  className?: string | undefined;
}

/** The page’s h1: it names the document, and takes the focus after a navigation where no field has it. */
export const PageHeading = ({ title, invalid = false, children, className }: PageHeadingProps) => {
  const { t } = useTranslation();
  const { key } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const name = invalid ? t('app.errorTitle', { title }) : title;

  useEffect(() => {
    document.title = `${name} - ${boot.brand.name}`;
  }, [name]);

  useEffect(() => {
    if (lastKey !== undefined && lastKey !== key) {
      if (!isFieldFocused()) heading.current?.focus({ preventScroll: true });
      announce(title);
    }
    lastKey = key;
  }, [key, title]);

  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children ?? title}
    </h1>
  );
};
