import type { DeskAccount } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { formatTimeZone } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { Nothing, Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';

/** The browsers that are signed in. */
export const Sessions = ({ account }: { account: DeskAccount }) => {
  const { t } = useTranslation('desk');
  const locale = useLocale();
  const deviceName = useDeviceName();
  const title = t('desk.account.sections.sessions');
  return (
    <Section name="sessions" title={title}>
      {account.sessions.length === 0 ? (
        <Nothing>{t('desk.account.sessions.none')}</Nothing>
      ) : (
        <Table
          caption={title}
          rows={account.sessions}
          keyOf={({ id }) => id}
          columns={[
            { heading: t('desk.account.sessions.device'), cell: deviceName },
            {
              heading: t('desk.account.sessions.active'),
              cell: ({ lastAccessedAt }) => <Moment at={lastAccessedAt} show="distance" />,
            },
            {
              heading: t('desk.account.sessions.since'),
              cell: ({ createdAt }) => <Moment at={createdAt} show="date" />,
            },
            {
              heading: t('desk.account.sessions.zone'),
              cell: ({ timeZone }) => timeZone && formatTimeZone(timeZone, locale),
            },
          ]}
        />
      )}
    </Section>
  );
};
