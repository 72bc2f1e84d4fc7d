import { useTranslation } from 'react-i18next';
import { CodeField } from '../../code-entry/code-field.tsx';
import { useCodeHint } from '../../code-entry/code-hint.ts';
import { SendCodeButton } from '../../code-entry/send-code-button.tsx';
import { Button } from '../../components/button.tsx';
import { ErrorSummary } from '../../components/error-summary.tsx';
import { OnlyField } from '../../components/field.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import stack from '../../components/stack.module.css';
import { Tabs } from '../../components/tabs.tsx';
import { useProblemText } from '../../forms/form-errors.ts';
import { useLamp } from '../../frame/flow-frame.tsx';
import { IdentifierField } from '../../identifier/identifier-field.tsx';
import { AbortLink } from '../../interaction/abort-link.tsx';
import { FlowHeading } from '../../interaction/flow-heading.tsx';
import { flowUrl } from '../../interaction/flow-links.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { Link } from '../../navigation/link.tsx';
import { RememberedAccounts } from './remembered-accounts.tsx';
import { UnknownAccountDialog } from './unknown-account-dialog.tsx';
import { useSignIn } from './use-sign-in.ts';

const lampLevel = (form: ReturnType<typeof useSignIn>): number => {
  if (form.done) return 1;
  const second = form.method === 'code' ? form.codes.timer || form.code : form.password;
  if (second) return 0.75;
  return form.identifier.looksRight ? 0.5 : 0.2;
};

/** The form: an identifier, and a code or a password. */
export const SignIn = (interaction: ReadyInteraction) => {
  const { uid, details } = interaction;
  const { t } = useTranslation();
  const form = useSignIn(interaction);
  const { identifier, method, errors } = form;
  const problemText = useProblemText();
  const codeHint = useCodeHint('login', form.codes.timer, identifier.current);
  // The focus goes to a code alone: what is wrong with it stands there, and nowhere else.
  const onlyCode = errors.code !== undefined && Object.keys(errors).length === 1;
  const textOf = (field: 'identifier' | 'code' | 'password') => errors[field] && problemText(errors[field]);
  useLamp(lampLevel(form));

  return (
    <div className={stack.stack}>
      <FlowHeading
        title={t('login.title')}
        invalid={Object.keys(errors).length > 0}
        signsIn
        details={details}
      />
      {form.news && <p className={stack.notice}>{t(form.news)}</p>}
      <Tabs
        label={t('login.methods')}
        panel="sign-in"
        value={method}
        tabs={[
          { value: 'code', label: t('login.byCode') },
          { value: 'password', label: t('login.byPassword') },
        ]}
        onChange={form.setMethod}
      />
      <div id="sign-in" role="tabpanel" aria-labelledby={`tab-${method}`}>
        <form
          className={stack.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            form.submit.submit(form.code);
          }}
        >
          <ErrorSummary errors={onlyCode ? {} : errors} fields={form.fields} focusKey={form.refusals} />
          <RememberedAccounts
            uid={uid}
            accounts={details.accounts}
            onPick={(account) => {
              identifier.setIdentifier(account);
              form.clear('identifier');
              (method === 'code' ? form.codeInput.current : document.getElementById('password'))?.focus();
            }}
            onError={form.refuse}
          />
          <IdentifierField
            id="identifier"
            draft={identifier.draft}
            book={identifier.book}
            error={textOf('identifier')}
            autoComplete={method === 'code' && identifier.draft.kind === 'phone' ? 'tel' : 'username'}
            onText={identifier.setText}
            onCountry={identifier.setCountry}
            onKind={(kind) => {
              form.clear('identifier');
              identifier.setKind(kind);
            }}
            onEnter={identifier.prepare}
            onBlur={() => {
              if (errors.identifier && identifier.looksRight) form.clear('identifier');
            }}
          />
          {method === 'code' ? (
            <OnlyField value={onlyCode}>
              <CodeField
                id="code"
                round={form.codes.timer?.sent ?? 0}
                value={form.code}
                hint={codeHint}
                error={textOf('code')}
                refusal={form.unsent && problemText(form.unsent)}
                inputRef={form.codeInput}
                action={
                  <SendCodeButton
                    sent={Boolean(form.codes.timer)}
                    seconds={form.codes.seconds}
                    busy={form.sending.busy}
                    onSend={() => form.sending.submit()}
                  />
                }
                onChange={form.setCode}
                onComplete={(code) => {
                  if (identifier.looksRight) form.submit.submit(code);
                }}
                onBlur={() => {
                  if (form.code) form.clear('code');
                }}
              />
            </OnlyField>
          ) : (
            <PasswordField
              id="password"
              value={form.password}
              autoComplete="current-password"
              error={textOf('password')}
              busy={form.submit.busy}
              onChange={form.setPassword}
              onBlur={() => {
                if (errors.password?.code === 'password_blank' && form.password) form.clear('password');
              }}
            />
          )}
          <Button look="primary" type="submit" className={stack.submit} busy={form.submit.busy}>
            {t('login.submit')}
          </Button>
        </form>
      </div>
      <div className={stack.tail}>
        <div className={stack.links}>
          <Link to={flowUrl('/register', uid)} state={{ draft: identifier.draft }} onClick={form.keep}>
            {t('login.register')}
          </Link>
          <Link to={flowUrl('/findbackPWD', uid)} state={{ draft: identifier.draft }} onClick={form.keep}>
            {t('login.forgot')}
          </Link>
        </div>
        <AbortLink uid={uid} details={details} onError={form.refuse} />
      </div>
      {form.unknown && <UnknownAccountDialog onRegister={form.register} onClose={form.closeUnknown} />}
    </div>
  );
};
