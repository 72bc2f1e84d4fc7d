import { useTranslation } from 'react-i18next';
import { formatNames } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import type { Permission } from './permissions.ts';

/** The text of a permission, and an explanation of the data that it shows where the text is not enough. */
export const usePermissionText = () => {
  const { t } = useTranslation();
  const locale = useLocale();
  const title = ({ kind, scopes, description }: Permission): string => {
    const words = description?.[locale] ?? description?.en;
    if (words) return words;
    if (kind === 'other' || kind === 'resource') return t('consent.other', { scope: scopes.join(' ') });
    return t(`consent.${kind}`);
  };
  const detail = ({ kind, scopes, resource }: Permission): string | undefined => {
    if (kind === 'resource') return resource;
    if (kind !== 'personal') return undefined;
    const parts = [
      scopes.includes('phone') && t('consent.detailPhone'),
      scopes.includes('email') && t('consent.detailEmail'),
    ].filter((part) => part !== false);
    return parts.length > 0 ? formatNames(parts, parts.length, locale) : t('consent.detailId');
  };
  return { title, detail };
};
