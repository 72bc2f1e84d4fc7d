import type { Activity } from '@candela/contract';
import { activityText } from '@candela/contract/rules/activity-text';
import { useTranslation } from 'react-i18next';

/** Writes what happened as a sentence. */
export const useSentence = () => {
  const { t } = useTranslation('activity');
  return (activity: Activity): string => {
    const { key, values } = activityText(activity);
    const what = t(key, values);
    const name = activity.detail?.name;
    return name === undefined ? what : t('activity.named', { what, name });
  };
};
