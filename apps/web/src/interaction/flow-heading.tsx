import type { InteractionDetails } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { boot } from '../boot.ts';
import { ClientCard } from '../components/client-card.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import stack from '../components/stack.module.css';
import { isPortal } from './flow-links.ts';

interface FlowHeadingProps {
  title: string;
  /** Another heading than the page’s title. */
  heading?: string;
  invalid?: boolean;
  /** Absent where nobody asks, or before it is known who does. */
  details: InteractionDetails | undefined;
}

/** The title of a flow’s screen and, below it, the app that asks. */
export const FlowHeading = ({ title, heading, invalid = false, details }: FlowHeadingProps) => {
  const { t } = useTranslation();
  return (
    <>
      <PageHeading title={title} invalid={invalid}>
        {heading}
      </PageHeading>
      {details &&
        (isPortal(details) ? (
          <p className={stack.lead}>{t('flow.toAccount', { brand: boot.brand.name })}</p>
        ) : (
          <ClientCard client={details.client} />
        ))}
    </>
  );
};
