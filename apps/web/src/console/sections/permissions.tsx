import type { RegisteredClient } from '@candela/contract';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../flow/components/checkbox.tsx';
import { PermissionWords } from '../../flow/scopes/permission-words.tsx';
import { toPermissions } from '../../flow/scopes/permissions.ts';
import card from '../../portal/components/card.module.css';
import { boot } from '../../shell/boot.ts';
import { AsCommand } from '../as-command.tsx';
import { apiPathOf, settingsOf } from '../commands.ts';
import {
  asksPeople,
  draftOf,
  mayBeOptional,
  offeredScopes,
  type PermissionsDraft,
  patchOf,
  toAsked,
} from '../permissions-draft.ts';
import { idOf, RegistrationForm } from '../registration-form.tsx';
import { Section } from '../section.tsx';
import { TextField } from '../text-field.tsx';
import { useClientUpdate } from '../use-client-update.ts';
import { type Registration, useRegistration } from '../use-registration.ts';
import styles from './addresses.module.css';
import list from './permissions.module.css';

interface ScopeProps {
  scope: string;
  prefix: string;
  draft: PermissionsDraft;
  problems: Registration['problems'];
  onChange: (part: Partial<PermissionsDraft>) => void;
}

const toggled = (scopes: readonly string[], scope: string): readonly string[] =>
  scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope];

/** Why the app asks for a scope, and whether people may leave the scope out. */
const ScopeDetails = ({ scope, prefix, draft, problems, onChange }: ScopeProps) => {
  const { t } = useTranslation('developers');
  const field = `scope_reasons.${scope}`;
  return (
    <div className={list.more}>
      <TextField
        id={idOf(prefix, field)}
        label={t('client.permissions.reason', { scope })}
        problem={problems[field]}
        value={draft.reasons[scope] ?? ''}
        maxLength={300}
        onChange={(reason) => onChange({ reasons: { ...draft.reasons, [scope]: reason } })}
      />
      {mayBeOptional(scope) && (
        <Checkbox
          checked={draft.optional.includes(scope)}
          onChange={() => onChange({ optional: toggled(draft.optional, scope) })}
        >
          {t('client.permissions.optional')}
        </Checkbox>
      )}
    </div>
  );
};

const Scope = ({ client, ...props }: ScopeProps & { client: RegisteredClient }) => {
  const { scope, draft, onChange } = props;
  const [permission] = toPermissions(toAsked(scope, client.apiScopes));
  const isChosen = draft.scopes.includes(scope);
  return (
    <li className={list.scope}>
      <Checkbox
        checked={isChosen}
        onChange={() => {
          const chosen = toggled(draft.scopes, scope);
          onChange({ scopes: offeredScopes(client).filter((each) => chosen.includes(each)) });
        }}
      >
        {permission && <PermissionWords permission={permission} note={<code translate="no">{scope}</code>} />}
      </Checkbox>
      {isChosen && scope !== 'openid' && asksPeople(client) && <ScopeDetails {...props} />}
    </li>
  );
};

interface PermissionsProps {
  client: RegisteredClient;
  /** What is typed and not saved; undefined: nothing. */
  edited: PermissionsDraft | undefined;
  onEdit: (edited: PermissionsDraft | undefined) => void;
}

const leadOf = (client: RegisteredClient) => {
  if (!asksPeople(client)) return 'machine';
  return client.scope === undefined ? 'all' : 'text';
};

/** What the client may ask for, each with the reason that people read. */
export const Permissions = ({ client, edited, onEdit }: PermissionsProps) => {
  const { t } = useTranslation('developers');
  const prefix = useId();
  const box = useRef<HTMLUListElement>(null);
  const draft = edited ?? draftOf(client);
  const offered = offeredScopes(client);
  const update = useClientUpdate(client, () => box.current?.querySelector('input')?.focus());
  const patch = patchOf(draft);
  const form = useRegistration(
    draft.scopes.map((scope) => `scope_reasons.${scope}`),
    async () => {
      await update(patch);
      onEdit(undefined);
    },
  );
  if (offered.length === 0) {
    return (
      <Section name="permissions">
        <p>{t('client.permissions.none')}</p>
      </Section>
    );
  }
  return (
    <Section name="permissions" text={t(`client.permissions.${leadOf(client)}`)}>
      {client.first_party && <p>{t('client.own', { brand: boot.brand.name })}</p>}
      <div className={`${card.card} ${styles.card}`}>
        <RegistrationForm
          form={form}
          prefix={prefix}
          edited={edited !== undefined}
          locked={client.first_party}
          action={t('settings.save')}
          onSubmit={() => void form.run()}
        >
          <ul className={list.scopes} ref={box}>
            {offered.map((scope) => (
              <Scope
                key={scope}
                client={client}
                scope={scope}
                prefix={prefix}
                draft={draft}
                problems={form.problems}
                onChange={(part) => onEdit({ ...draft, ...part })}
              />
            ))}
          </ul>
        </RegistrationForm>
        <AsCommand
          what={t('client.sections.permissions')}
          words={['update', client.client_id, ...settingsOf(patch)]}
          request={{ method: 'PATCH', path: apiPathOf(client.client_id), body: patch }}
        />
      </div>
    </Section>
  );
};
