import type { Account } from '@candela/contract';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountQuery, authorizationsQuery, sessionsQuery } from '../../account/queries.ts';
import { useSensitiveSubmit } from '../../account/step-up.ts';
import { call } from '../../api/client.ts';
import { boot } from '../../boot.ts';
import { ErrorSummary } from '../../components/error-summary.tsx';
import { HiddenUsername } from '../../components/hidden-username.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import prose from '../../components/prose.module.css';
import { notify } from '../../components/toast.tsx';
import { Dialog } from '../../dialog/dialog.tsx';
import { DialogForm } from '../../dialog/dialog-form.tsx';
import { type FormErrors, toFormErrors, useProblemText } from '../../forms/form-errors.ts';
import { checkPassword, generatorRule } from '../../forms/password-rule.ts';
import { ConnectedApps } from './connected-apps.tsx';

type Field = 'new-password' | 'repeated';

const fields: readonly Field[] = ['new-password', 'repeated'];

/** A password, the first or a new one, typed twice, and what it ends. */
export const PasswordDialog = ({ account, onClose }: { account: Account; onClose: () => void }) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const client = useQueryClient();
  const links = useInfiniteQuery(authorizationsQuery);
  const [password, setPassword] = useState('');
  const [withdraw, setWithdraw] = useState(false);
  const [repeated, setRepeated] = useState('');
  const [errors, setErrors] = useState<FormErrors<Field>>({});
  const [refusals, setRefusals] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const show = (next: FormErrors<Field>) => {
    setErrors(next);
    setRefusals((count) => count + 1);
  };
  const check = (): FormErrors<Field> => {
    const code = checkPassword(password, boot.passwordProfile);
    if (code) return { 'new-password': { code } };
    return password === repeated ? {} : { repeated: { code: 'passwords_differ' } };
  };
  /** Takes back what is said about a field once it is mended. */
  const recheck = (field: Field) => {
    if (!check()[field]) setErrors(({ [field]: _, ...rest }) => rest as FormErrors<Field>);
  };
  const { busy, run } = useSensitiveSubmit(
    async () => {
      const problems = check();
      if (Object.keys(problems).length > 0) return show(problems);
      setErrors({});
      await call('PUT /api/account/password', {
        body: { password, ...(withdraw && { withdrawAuthorizations: true }) },
      });
      const changed = [accountQuery, sessionsQuery, authorizationsQuery];
      await Promise.all(changed.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
      notify(t('app.done'));
      onClose();
    },
    (error) => {
      const { password: refused, ...rest } = toFormErrors(error, ['password']);
      show({ ...rest, ...(refused && { 'new-password': refused }) });
    },
  );

  const apps = links.data?.pages.flatMap(({ items }) => items.map(({ client }) => client.name));
  const title = account.hasPassword ? t('settings.password.changeTitle') : t('settings.password.setTitle');
  return (
    <Dialog title={title} form onClose={onClose}>
      <p className={prose.lead}>{t('settings.password.ends')}</p>
      <DialogForm
        action={t('settings.password.submit')}
        busy={busy}
        summary={<ErrorSummary errors={errors} fields={fields} focusKey={refusals} />}
        onSubmit={run}
        onCancel={onClose}
      >
        <HiddenUsername value={account.email ?? account.phone ?? ''} />
        <PasswordField
          id="new-password"
          label={t('settings.password.label')}
          value={password}
          autoComplete="new-password"
          hint={t(`password.${boot.passwordProfile}`)}
          error={errors['new-password'] && problemText(errors['new-password'])}
          rules={generatorRule(boot.passwordProfile)}
          inputRef={input}
          busy={busy}
          onChange={setPassword}
          onBlur={() => recheck('new-password')}
        />
        <PasswordField
          id="repeated"
          label={t('recovery.repeated')}
          value={repeated}
          autoComplete="new-password"
          error={errors.repeated && problemText(errors.repeated)}
          busy={busy}
          onChange={setRepeated}
          onBlur={() => recheck('repeated')}
        />
        {(apps?.length || links.isError) && (
          <ConnectedApps names={apps} withdraw={withdraw} onToggle={() => setWithdraw(!withdraw)} />
        )}
      </DialogForm>
    </Dialog>
  );
};
