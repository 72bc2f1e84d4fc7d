import type { ClientMember, RegisteredClient } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { Moment } from '../../flow/components/moment.tsx';
import { Phrase } from '../../flow/components/phrase.tsx';
import { focusAfterEnding } from '../../portal/account/focus-after-ending.ts';
import { useEnding } from '../../portal/account/use-ending.ts';
import card from '../../portal/components/card.module.css';
import { ListFailure } from '../../portal/components/list-states.tsx';
import { notify } from '../../portal/components/toast.tsx';
import { ConfirmDialog } from '../../portal/dialog/confirm-dialog.tsx';
import { ApiError, call } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import { gap } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import { openPage } from '../../shell/navigation/open-page.ts';
import { AsCommand } from '../as-command.tsx';
import { apiPathOf } from '../commands.ts';
import { membersQuery } from '../queries.ts';
import { idOf, RegistrationForm } from '../registration-form.tsx';
import { Section } from '../section.tsx';
import { TextField } from '../text-field.tsx';
import { useClientRefresh } from '../use-client-update.ts';
import { useRegistration } from '../use-registration.ts';
import { type Known, KnownSecrets } from './known-secrets.tsx';
import styles from './members.module.css';

const recordOf = ({ id }: ClientMember): { id: string } => ({ id: `member ${id}` });

interface MemberRowProps {
  member: ClientMember;
  /** The way to take the member off; absent: the reader may not. */
  onRemove: (() => void) | undefined;
}

const MemberRow = ({ member, onRemove }: MemberRowProps) => {
  const { t } = useTranslation('developers');
  const { nickname: name, identifier, role, addedAt, you } = member;
  return (
    <li className={styles.member} data-record={recordOf(member).id}>
      <div className={styles.words}>
        <p>
          <bdi>{name}</bdi>
        </p>
        <p className={styles.facts}>
          <span>{identifier}</span>
          <span>{t(`client.members.${role}`)}</span>
          {you && <span>{t('client.members.you')}</span>}
          <span>
            <Phrase text={(when) => t('client.members.since', { when })}>
              <Moment at={addedAt} />
            </Phrase>
          </span>
        </p>
      </div>
      {onRemove && (
        <Button
          look="text"
          {...(!you && { 'aria-label': t('client.members.removeOf', { name }) })}
          onClick={onRemove}
        >
          {you ? t('client.members.leave') : t('client.members.remove')}
        </Button>
      )}
    </li>
  );
};

const InviteForm = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const locale = useLocale();
  const prefix = useId();
  const [identifier, setIdentifier] = useState('');
  const refresh = useClientRefresh(client.client_id);
  const form = useRegistration(['identifier'], async () => {
    const member = await call('POST /api/clients/:id/members', {
      params: { id: client.client_id },
      body: { identifier: identifier.trim() },
    });
    setIdentifier('');
    notify(t('client.members.invited', { name: member.nickname }));
    await refresh();
  });
  const { identifier: own, form: general, ...others } = form.problems;
  // The one field of the form is wrong whatever the code.
  const problem = own ?? general;
  return (
    <RegistrationForm
      form={{ ...form, problems: { ...others, ...(problem && { identifier: problem }) } }}
      prefix={prefix}
      edited={identifier !== ''}
      action={t('client.members.invite')}
      onSubmit={() => void form.run()}
    >
      <TextField
        id={idOf(prefix, 'identifier')}
        label={t('client.members.who')}
        hint={`${t('client.members.whoHint')}${gap(locale)}${t('overview.team.told')}`}
        problem={problem}
        value={identifier}
        maxLength={320}
        onChange={setIdentifier}
      />
      {problem?.code === 'developer_unknown' && (
        <p className={styles.next}>
          {t('overview.team.unknown', { address: `${location.host}/developers` })}
        </p>
      )}
    </RegistrationForm>
  );
};

const useRemoval = (
  client: RegisteredClient,
  members: readonly ClientMember[],
  onRemoved: (known: Known) => void,
) => {
  const id = client.client_id;
  const navigate = useNavigate();
  const refresh = useClientRefresh(id);
  return useEnding<ClientMember>(
    async (member) => {
      const { secrets } = await call('DELETE /api/clients/:id/members/:account', {
        params: { id, account: member.id },
      });
      onRemoved({ name: member.nickname, secrets });
    },
    async (member) => {
      if (member.you) return openPage('/developers', () => navigate('/developers', { replace: true }));
      await refresh();
      focusAfterEnding(members.map(recordOf), recordOf(member).id);
    },
  );
};

/** The developers who can change the client. */
export const Members = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const { data, error, isFetching, refetch } = useQuery(membersQuery(client.client_id));
  const members = data?.items ?? [];
  const [known, setKnown] = useState<Known>();
  const removal = useRemoval(client, members, setKnown);
  const owners = members.filter(({ role }) => role === 'owner').length;
  const mayRemove = ({ role, you }: ClientMember): boolean =>
    (you || client.role === 'owner') && !(role === 'owner' && owners === 1);
  const target = removal.target;
  return (
    <Section name="members" text={t('client.members.text')}>
      {data ? (
        <ul className={card.card}>
          {members.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              onRemove={mayRemove(member) ? () => removal.ask(member) : undefined}
            />
          ))}
        </ul>
      ) : error instanceof ApiError ? (
        <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton heights={[72]} label={t('list.loading')} />
      )}
      {known && <KnownSecrets client={client} known={known} />}
      <InviteForm client={client} />
      <AsCommand
        what={t('client.members.invite')}
        request={{
          method: 'POST',
          path: `${apiPathOf(client.client_id)}/members`,
          body: { identifier: 'name@example.com' },
        }}
      />
      {target && (
        <ConfirmDialog
          title={
            target.you
              ? t('client.members.leaveTitle')
              : t('client.members.removeTitle', { name: target.nickname })
          }
          text={
            target.you
              ? t('client.members.leaveText', { app: client.client_name })
              : t('client.members.removeText', { name: target.nickname })
          }
          action={target.you ? t('client.members.leave') : t('client.members.remove')}
          {...removal.answer}
        />
      )}
    </Section>
  );
};
