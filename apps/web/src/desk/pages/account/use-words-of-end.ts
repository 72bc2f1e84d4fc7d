import type { EndedAuthorization } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { nextStep } from '../../../portal/account/next-step.ts';

/** What the person reads of a link that ended: why, and what to do. Staff say the same. */
export const useWordsOfEnd = () => {
  const { t } = useTranslation('security');
  const { t: tell } = useTranslation('desk');
  return ({ client, link }: EndedAuthorization): string => {
    const reason = link.endedBecause ?? 'expired';
    const words = t('links.becauseNext', {
      because: t(`links.because.${reason}`),
      next: t(`links.next.${nextStep[reason]}`, { app: client.name }),
    });
    return tell('desk.account.apps.reads', { words });
  };
};
