import { RECOVERY_PAGE } from '@candela/contract/pages';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Actions } from '../../shell/components/actions.tsx';
import { Button } from '../../shell/components/button.tsx';
import column from '../../shell/components/column.module.css';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import { PageHeading } from '../../shell/components/page-heading.tsx';
import prose from '../../shell/components/prose.module.css';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { useLamp } from '../../shell/frame/flow-frame.tsx';
import { useLocale } from '../../shell/language/use-locale.ts';
import { Link } from '../../shell/navigation/link.tsx';
import linkButton from '../components/link-button.module.css';
import { emptyDraft, withIdentifier } from '../identifier/draft.ts';

/** The texts of the page: it undoes a change, or says that a sign-in was somebody else’s. */
type NoticeTexts = 'undo' | 'notMe';

interface NoticeScreenProps {
  texts: NoticeTexts;
  heading: string;
  invalid?: boolean;
  /** The brightness of the lamp, from 0 to 1. */
  lamp: number;
  children: ReactNode;
}

/** A screen of a page that a link in a notice leads to. */
export const NoticeScreen = ({ texts, heading, invalid = false, lamp, children }: NoticeScreenProps) => {
  const { t } = useTranslation('activity');
  useLamp(lamp);
  return (
    <div className={column.column}>
      <PageHeading title={t(`${texts}.title`)} invalid={invalid}>
        {heading}
      </PageHeading>
      {children}
    </div>
  );
};

interface ToRecoveryProps {
  texts: NoticeTexts;
  identifier?: string | undefined;
}

/** A link to the recovery, with the identifier filled in where it is known. */
export const ToRecovery = ({ texts, identifier }: ToRecoveryProps) => {
  const { t } = useTranslation('activity');
  const locale = useLocale();
  const draft = identifier && withIdentifier(emptyDraft(locale), identifier, undefined);
  return (
    <Actions>
      <Link className={linkButton.button} to={RECOVERY_PAGE} state={draft ? { draft } : null}>
        {t(`${texts}.recover`)}
      </Link>
    </Actions>
  );
};

interface NoticeWithoutDetailsProps {
  texts: NoticeTexts;
  state: { at: 'looking' } | { at: 'failed'; problem: Problem } | { at: 'dead' };
  onRetry: () => void;
}

/** The screen of a link about which nothing is known: not yet, not now, or no longer. */
export const NoticeWithoutDetails = ({ texts, state, onRetry }: NoticeWithoutDetailsProps) => {
  const { t } = useTranslation('activity');
  if (state.at === 'looking') {
    return (
      <NoticeScreen texts={texts} heading={t(`${texts}.title`)} lamp={0.3}>
        <Skeleton heights={[72, 48]} />
      </NoticeScreen>
    );
  }
  if (state.at === 'failed') {
    return (
      <NoticeScreen texts={texts} heading={t(`${texts}.failedTitle`)} invalid lamp={0.2}>
        <ErrorSummary errors={{ form: state.problem }} fields={[]} />
        <Button onClick={onRetry}>{t('app.retry')}</Button>
      </NoticeScreen>
    );
  }
  return (
    <NoticeScreen texts={texts} heading={t(`${texts}.deadTitle`)} invalid lamp={0.2}>
      <p className={prose.lead}>{t(`${texts}.deadText`)}</p>
      <ToRecovery texts={texts} />
    </NoticeScreen>
  );
};
