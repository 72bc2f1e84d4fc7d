import { useTranslation } from 'react-i18next';
import type { Permission } from './permissions.ts';

/** A permission in words, and what exactly it shows where that is not plain. */
export const usePermissionText = () => {
  const { t } = useTranslation();
  const title = ({ kind, scopes }: Pick<Permission, 'kind' | 'scopes'>): string => {
    if (kind === 'other') return t('consent.other', { scope: scopes.join(' ') });
    return t(`consent.${kind}`);
  };
  const detail = ({ kind, scopes }: Pick<Permission, 'kind' | 'scopes'>): string | undefined => {
    if (kind !== 'personal') return undefined;
    const parts = [
      scopes.includes('phone') && t('consent.detailPhone'),
      scopes.includes('email') && t('consent.detailEmail'),
    ].filter((part) => part !== false);
    return parts.length > 0 ? parts.join(', ') : t('consent.detailId');
  };
  return { title, detail };
};
