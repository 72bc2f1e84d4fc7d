import type { Activity, ActivityGroup, Disputed } from '@candela/contract';
import { activityGroupNames } from '@candela/contract/rules/activity-kinds';
import { infiniteQueryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddedInSessionList } from '../../../flow/components/added-in-session.tsx';
import { call } from '../../../shell/api/client.ts';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import { formatDay } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { ListHeading } from '../../account/list-heading.tsx';
import { PagedList } from '../../account/paged-list.tsx';
import { accountQuery, sessionsQuery } from '../../account/queries.ts';
import { withStepUp } from '../../account/step-up.ts';
import { useEnding } from '../../account/use-ending.ts';
import card from '../../components/card.module.css';
import { ListEmpty } from '../../components/list-states.tsx';
import { type ConfirmAnswer, ConfirmDialog } from '../../dialog/confirm-dialog.tsx';
import styles from './activity-page.module.css';
import { ActivityRow } from './activity-row.tsx';
import { TakeBack } from './take-back.tsx';

type Choice = ActivityGroup | 'all';

const choices: readonly Choice[] = ['all', ...activityGroupNames];

const activityQuery = (choice: Choice) =>
  infiniteQueryOptions({
    queryKey: ['activity', choice],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/activity', {
        signal,
        query: { ...(choice !== 'all' && { kind: choice }), ...(pageParam && { after: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });

/** The groups of kinds to choose from. */
const Filter = ({ value, onChange }: { value: Choice; onChange: (choice: Choice) => void }) => {
  const { t } = useTranslation('activity');
  return (
    <fieldset className={styles.filter}>
      <legend className="visually-hidden">{t('activity.filter')}</legend>
      {choices.map((choice) => (
        <label key={choice} className={styles.choice}>
          <input
            className="visually-hidden"
            type="radio"
            name="activity-group"
            checked={choice === value}
            onChange={() => onChange(choice)}
          />
          <span className={styles.name}>{t(`activity.groups.${choice}`)}</span>
        </label>
      ))}
    </fieldset>
  );
};

interface DaysProps {
  items: readonly Activity[];
  onDispute: (activity: Activity) => void;
}

/** The rows by the day of this computer’s calendar. */
const Days = ({ items, onDispute }: DaysProps) => {
  const locale = useLocale();
  const now = new Date();
  const days = Map.groupBy(items, ({ at }) => formatDay(new Date(at), now, locale));
  return [...days].map(([day, ofDay]) => (
    <section key={day} className={styles.day}>
      <h2 className={styles.title}>{day}</h2>
      <ul className={card.card}>
        {ofDay.map((activity) => (
          <ActivityRow key={activity.id} activity={activity} onDispute={() => onDispute(activity)} />
        ))}
      </ul>
    </section>
  ));
};

/** What the session of an event added, and whether its end takes that back. */
const useAdded = (activity: Activity | undefined) => {
  const id = activity?.id ?? '';
  const { data, isPending, isError } = useQuery({
    queryKey: ['activity', 'added', id],
    queryFn: ({ signal }) => call('GET /api/activity/:id/added', { params: { id }, signal }),
    enabled: activity !== undefined,
    staleTime: 0,
  });
  // One answer each: an unticked box says nothing about the next event.
  const [kept, setKept] = useState<string>();
  const items = data?.items ?? [];
  return {
    items,
    isPending,
    isError,
    takeBack: kept !== id,
    takes: kept !== id && items.length > 0,
    toggle: () => setKept(kept === id ? undefined : id),
  };
};

interface DisputeDialogProps {
  added: ReturnType<typeof useAdded>;
  answer: ConfirmAnswer;
}

const DisputeDialog = ({ added, answer }: DisputeDialogProps) => {
  const { t } = useTranslation('activity');
  const { items, isPending, isError, takeBack, toggle } = added;
  return (
    <ConfirmDialog
      title={t('activity.ask')}
      text={t('activity.askText')}
      action={t('activity.confirm')}
      {...answer}
      busy={answer.busy || isPending}
    >
      {items.length > 0 && <AddedInSessionList items={items} takeBack={takeBack} onToggle={toggle} />}
      {isError && <p role="status">{t('added.unknown')}</p>}
    </ConfirmDialog>
  );
};

/** What happened to the account, by day. */
export const ActivityPage = () => {
  const { t } = useTranslation('activity');
  const client = useQueryClient();
  const [choice, setChoice] = useState<Choice>('all');
  const [disputed, setDisputed] = useState<{ answer: Disputed; asked: boolean }>();
  const query = useInfiniteQuery(activityQuery(choice));

  const disputing = useEnding<Activity>(
    async ({ id }) => {
      const body = { ...(added.takes && { takeBack: true }) };
      const answer = await withStepUp(() => call('POST /api/activity/:id/dispute', { params: { id }, body }));
      setDisputed({ answer, asked: added.takes });
    },
    async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['activity'] }),
        client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
        client.invalidateQueries({ queryKey: accountQuery.queryKey }),
      ]);
      focusSoon(() => document.getElementById('take-back') ?? undefined);
    },
  );
  const added = useAdded(disputing.target);

  return (
    <>
      <ListHeading title={t('activity.title')} text={t('activity.text')} />
      {disputed && (
        <TakeBack disputed={disputed.answer} asked={disputed.asked} onDone={() => setDisputed(undefined)} />
      )}
      <Filter value={choice} onChange={setChoice} />
      <PagedList query={query}>
        {(items) =>
          items.length > 0 ? (
            <Days items={items} onDispute={disputing.ask} />
          ) : (
            <ListEmpty title={t('activity.emptyTitle')}>{t('activity.empty')}</ListEmpty>
          )
        }
      </PagedList>
      {disputing.target && <DisputeDialog added={added} answer={disputing.answer} />}
    </>
  );
};
