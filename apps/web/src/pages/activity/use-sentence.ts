import type { Activity } from '@candela/contract';
import { useTranslation } from 'react-i18next';

/** Writes what happened as a sentence. */
export const useSentence = () => {
  const { t } = useTranslation('activity');
  const sentenceOf = ({ kind, detail = {}, client }: Activity): string => {
    const { method = 'second_factor', contactKind = 'email', contact = '', ended, total = 1 } = detail;
    switch (kind) {
      case 'sign_in':
      case 'sign_in_refused':
        return t(`activity.kinds.${kind}.${method}`);
      case 'session_ended': {
        const device = ended && [ended.browser, ended.os].filter(Boolean).join(', ');
        return device
          ? t('activity.kinds.sessionEnded.there', { device })
          : t('activity.kinds.sessionEnded.here');
      }
      case 'sessions_ended':
        return t('activity.kinds.sessions_ended', { count: total });
      case 'identifier_bound':
      case 'identifier_removed':
      case 'identifier_change_waits':
        // A number is not broken between its groups.
        return t(`activity.kinds.${kind}.${contactKind}`, { contact: contact.replaceAll(' ', '\u00a0') });
      case 'approval_given':
      case 'approval_withdrawn':
        return t(`activity.kinds.${kind}`, { app: client?.name ?? '' });
      default:
        return t(`activity.kinds.${kind}`);
    }
  };
  return (activity: Activity): string => {
    const what = sentenceOf(activity);
    const name = activity.detail?.name;
    return name === undefined ? what : t('activity.named', { what, name });
  };
};
