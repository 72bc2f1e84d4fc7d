import type { InteractionDetails } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { boot } from '../../shell/boot.ts';
import { PageHeading } from '../../shell/components/page-heading.tsx';
import prose from '../../shell/components/prose.module.css';
import { ClientCard } from './client-card.tsx';
import { isPortal } from './flow-links.ts';

interface FlowHeadingProps {
  title: string;
  /** The text of the heading, if other than the page’s title. */
  heading?: string;
  invalid?: boolean;
  /** The screen signs in to the app, and says so. */
  signsIn?: boolean;
  /** Undefined where no app asks, or while the details load. */
  details: InteractionDetails | undefined;
}

/** The title of a flow’s screen and, below it, the app that asks. */
export const FlowHeading = (props: FlowHeadingProps) => {
  const { title, heading, invalid = false, signsIn = false, details } = props;
  const { t } = useTranslation();
  const app = details && !isPortal(details) ? details.client : undefined;
  return (
    <>
      <PageHeading title={title} invalid={invalid}>
        {heading}
      </PageHeading>
      {app && <ClientCard client={app} signsIn={signsIn} />}
      {details && !app && signsIn && (
        <p className={prose.lead}>{t('flow.toAccount', { brand: boot.brand.name })}</p>
      )}
    </>
  );
};
