import type { DeskClient } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Link } from '../../../shell/navigation/link.tsx';
import filters from '../../components/filters.module.css';
import { Nothing, Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';

/** Who manages the app. */
export const Members = ({ members }: Pick<DeskClient, 'members'>) => {
  const { t } = useTranslation('desk');
  const title = t('desk.apps.members');
  return (
    <Section name="members" title={title}>
      {members.length === 0 ? (
        <Nothing>{t('desk.apps.noMembers')}</Nothing>
      ) : (
        <Table
          caption={title}
          rows={members}
          keyOf={({ id }) => id}
          columns={[
            {
              heading: t('desk.apps.member'),
              cell: ({ id, nickname, identifier }) => (
                <>
                  <Link className={filters.name} to={`/desk/accounts/${encodeURIComponent(id)}`}>
                    {nickname || identifier}
                  </Link>
                  <span className={filters.quiet}>{identifier}</span>
                </>
              ),
            },
            { heading: t('desk.apps.role'), cell: ({ role }) => t(`desk.apps.roles.${role}`) },
            { heading: t('desk.apps.since'), cell: ({ addedAt }) => <Moment at={addedAt} show="date" /> },
          ]}
        />
      )}
    </Section>
  );
};
