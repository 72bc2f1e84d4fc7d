import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router-dom';
import { promptUrl } from '../../interaction/flow-links.ts';
import { InteractionGate } from '../../interaction/interaction-gate.tsx';
import { Approval, type MissingContactsPart } from './approval.tsx';

/** The heights for the app, the scopes, the account and the answers. */
const HEIGHTS = [66, 48, 72, 72, 72, 66, 48];

interface ConsentPageProps {
  /** The account’s own part, which a sign-in knows by its form alone. */
  missingContacts: MissingContactsPart;
}

export const ConsentPage = ({ missingContacts }: ConsentPageProps) => {
  const { t } = useTranslation();
  return (
    <InteractionGate title={t('consent.title')} heights={HEIGHTS}>
      {(interaction) => {
        const { details, uid } = interaction;
        if (details.prompt !== 'consent') return <Navigate to={promptUrl(details.prompt, uid)} replace />;
        return <Approval {...interaction} missingContacts={missingContacts} />;
      }}
    </InteractionGate>
  );
};
