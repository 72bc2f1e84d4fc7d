import type { RecordAction } from '@candela/contract';
import { type DeskAct, deskActNames } from '@candela/contract/rules/desk-acts';
import { useTranslation } from 'react-i18next';

const isAct = (action: RecordAction): action is DeskAct => deskActNames.some((act) => act === action);

/** Names what an entry of the record says: an act as the page of an account names it, or a look. */
export const useActionName = () => {
  const { t } = useTranslation('desk');
  return (action: RecordAction): string =>
    isAct(action) ? t(`desk.acts.names.${action}`) : t(`desk.record.actions.${action}`);
};
