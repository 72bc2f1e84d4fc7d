import type { RegisteredClient } from '@candela/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import card from '../../../components/card.module.css';
import { Checkbox } from '../../../components/checkbox.tsx';
import { toPermissions } from '../../../scopes/permissions.ts';
import { usePermissionText } from '../../../scopes/use-permission-text.ts';
import { AsCommand } from '../as-command.tsx';
import { settingsOf } from '../commands.ts';
import {
  accountScopes,
  draftOf,
  mayBeOptional,
  type PermissionsDraft,
  patchOf,
  scopesOf,
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

const AccountScope = (props: ScopeProps) => {
  const { scope, draft, onChange } = props;
  const text = usePermissionText();
  const [permission] = toPermissions([{ name: scope, granted: false, optional: false }]);
  return (
    <li className={list.scope}>
      <Checkbox
        checked={draft.account.includes(scope)}
        onChange={() => onChange({ account: toggled(draft.account, scope) })}
      >
        {permission && text.title(permission)} <code translate="no">{scope}</code>
        {permission && text.detail(permission) && (
          <span className={list.detail}>{text.detail(permission)}</span>
        )}
      </Checkbox>
      {draft.account.includes(scope) && scope !== 'openid' && <ScopeDetails {...props} />}
    </li>
  );
};

interface PermissionsProps {
  client: RegisteredClient;
  /** What is typed and not saved; undefined: nothing. */
  edited: PermissionsDraft | undefined;
  onEdit: (edited: PermissionsDraft | undefined) => void;
}

/** What the client may ask for, each with the reason that people read. */
export const Permissions = ({ client, edited, onEdit }: PermissionsProps) => {
  const { t } = useTranslation('developers');
  const prefix = useId();
  const draft = edited ?? draftOf(client);
  const change = (part: Partial<PermissionsDraft>) => onEdit({ ...draft, ...part });
  const ofApis = scopesOf({ ...draft, account: [] });
  const fields = ['scope', 'optional_scopes', ...scopesOf(draft).map((scope) => `scope_reasons.${scope}`)];
  const update = useClientUpdate(client, () => document.getElementById(idOf(prefix, 'scope'))?.focus());
  const patch = patchOf(draft);
  const form = useRegistration(fields, async () => {
    await update(patch);
    onEdit(undefined);
  });
  const scopeProps = { prefix, draft, problems: form.problems, onChange: change };
  const isForPeople = client.grant_types.some((type) => type !== 'client_credentials');
  return (
    <Section
      name="permissions"
      text={t(
        client.scope === undefined && isForPeople ? 'client.permissions.all' : 'client.permissions.text',
      )}
    >
      <div className={`${card.card} ${styles.card}`}>
        <RegistrationForm
          form={form}
          prefix={prefix}
          action={t('settings.save')}
          onSubmit={() => void form.run()}
        >
          {isForPeople && (
            <ul className={list.scopes}>
              {accountScopes.map((scope) => (
                <AccountScope key={scope} scope={scope} {...scopeProps} />
              ))}
            </ul>
          )}
          <TextField
            id={idOf(prefix, 'scope')}
            label={t('client.permissions.api')}
            hint={t('client.permissions.apiHint')}
            problem={form.problems.scope}
            value={draft.apis}
            maxLength={2000}
            onChange={(apis) => change({ apis })}
          />
          {isForPeople && ofApis.length > 0 && (
            <ul className={list.scopes}>
              {ofApis.map((scope) => (
                <li key={scope} className={list.scope}>
                  <p className={list.name}>
                    <code translate="no">{scope}</code>
                  </p>
                  <ScopeDetails scope={scope} {...scopeProps} />
                </li>
              ))}
            </ul>
          )}
        </RegistrationForm>
        <AsCommand
          what={t('client.sections.permissions')}
          words={['update', client.client_id, ...settingsOf(patch)]}
          request={{ method: 'PATCH', path: `/api/clients/${client.client_id}`, body: patch }}
        />
      </div>
    </Section>
  );
};
