import { useTranslation } from 'react-i18next';
import { PageHeading } from '../../components/page-heading.tsx';

/** Registers a client. */
export const NewClientPage = () => {
  const { t } = useTranslation('developers');
  return <PageHeading title={t('newClient.title')} />;
};
