import { useTranslation } from 'react-i18next';

/** Names what a message was for: the purpose of a code, or a notice. One that this page does not know keeps its name. */
export const usePurposeName = () => {
  const { t, i18n } = useTranslation('desk');
  const has = (key: string) => i18n.exists(key, { ns: 'desk' });
  return (purpose: string): string => {
    const code = `desk.account.purposes.${purpose}`;
    if (has(code)) return t(code as 'desk.account.purposes.login');
    const notice = `desk.account.notices.${purpose}`;
    const name = has(notice) ? t(notice as 'desk.account.notices.new_browser') : purpose;
    return t('desk.account.notice', { name });
  };
};
