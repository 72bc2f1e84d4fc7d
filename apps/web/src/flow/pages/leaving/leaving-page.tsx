import type { Account } from '@candela/contract';
import { HOME_PAGE } from '@candela/contract/pages';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { ApiError, call, signInAgain } from '../../../shell/api/client.ts';
import { noteFarewell } from '../../../shell/api/farewell.ts';
import { Actions } from '../../../shell/components/actions.tsx';
import { Button } from '../../../shell/components/button.tsx';
import column from '../../../shell/components/column.module.css';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import type { Problem } from '../../../shell/forms/form-errors.ts';
import { leaveFor, useSubmit } from '../../../shell/forms/use-submit.ts';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';

const interactionPath = (uid: string) => `/interaction/${encodeURIComponent(uid)}`;

/** Goes on to the app that asked; without one, to the account. */
const goOn = async (uid: string): Promise<void> => {
  if (!uid) return leaveFor(HOME_PAGE);
  const answered = await call('POST /interaction/:uid/continue', { params: { uid } }).catch(
    (error: unknown) => {
      if (error instanceof ApiError && error.status < 500) return undefined;
      throw error;
    },
  );
  // Where the app wants more than the session has, the interaction leads to the page that asks for it.
  return leaveFor(answered?.returnTo ?? interactionPath(uid));
};

/** Leaves the account as it is: back to the app without an approval, or out of the session. */
const giveUp = async (uid: string): Promise<void> => {
  if (uid) {
    const { returnTo } = await call('POST /interaction/:uid/abort', { params: { uid } });
    return leaveFor(returnTo);
  }
  await call('POST /api/sign-out', { body: {} });
  noteFarewell('signed-out');
  return leaveFor('/login');
};

const useAccount = () => {
  const [state, setState] = useState<{ account?: Account; problem?: Problem }>({});
  const load = useCallback(() => {
    call('GET /api/account').then(
      (account) => setState({ account }),
      (error: unknown) => {
        if (error instanceof ApiError && error.code === 'not_signed_in') signInAgain();
        else setState({ problem: error instanceof ApiError ? error : { code: 'internal_error' } });
      },
    );
  }, []);
  useEffect(load, [load]);
  return { ...state, load };
};

const Screen = ({
  heading,
  invalid = false,
  children,
}: {
  heading: string;
  invalid?: boolean;
  children: ReactNode;
}) => {
  const { t } = useTranslation('security');
  useLamp(invalid ? 0.2 : 0.5);
  return (
    <div className={column.column}>
      <PageHeading title={t('leaving.title')} invalid={invalid}>
        {heading}
      </PageHeading>
      {children}
    </div>
  );
};

const Question = ({ leavingAt, uid }: { leavingAt: string; uid: string }) => {
  const { t } = useTranslation('security');
  const [problem, setProblem] = useState<Problem>();
  const keep = useSubmit(async () => {
    setProblem(undefined);
    await call('POST /api/account/keep');
    await goOn(uid);
  }, setProblem);
  const leave = useSubmit(() => giveUp(uid), setProblem);
  return (
    <Screen heading={t('leaving.question')}>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <p className={prose.lead}>
        <Phrase text={(when) => t('leaving.dueText', { when })}>
          <Moment at={leavingAt} show="zoned" />
        </Phrase>
      </p>
      <p className={prose.lead}>{t('leaving.keepText')}</p>
      <Actions>
        <Button busy={leave.busy} onClick={() => leave.run()}>
          {t('leaving.goOn')}
        </Button>
        <Button look="primary" busy={keep.busy} onClick={() => keep.run()}>
          {t('leaving.keep')}
        </Button>
      </Actions>
    </Screen>
  );
};

/** Asks whoever signed in to an account that is to be deleted whether to keep it. */
export const LeavingPage = () => {
  const { t } = useTranslation('security');
  const [search] = useSearchParams();
  const uid = search.get('interaction') ?? '';
  const { account, problem, load } = useAccount();
  const isKept = account !== undefined && account.leavingAt === undefined;
  useEffect(() => {
    if (isKept) void leaveFor(uid ? interactionPath(uid) : HOME_PAGE);
  }, [isKept, uid]);

  if (problem) {
    return (
      <Screen heading={t('leaving.failedTitle')} invalid>
        <ErrorSummary errors={{ form: problem }} fields={[]} />
        <Button onClick={load}>{t('app.retry')}</Button>
      </Screen>
    );
  }
  if (!account?.leavingAt) {
    return (
      <Screen heading={t('leaving.title')}>
        <Skeleton heights={[72, 48]} />
      </Screen>
    );
  }
  return <Question leavingAt={account.leavingAt} uid={uid} />;
};
