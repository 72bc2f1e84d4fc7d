import { RECOVERY_PAGE } from '@candela/contract/pages';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { boot } from '../../../shell/boot.ts';
import { Button } from '../../../shell/components/button.tsx';
import column from '../../../shell/components/column.module.css';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import prose from '../../../shell/components/prose.module.css';
import { useProblemText } from '../../../shell/forms/form-errors.ts';
import { onlyFault } from '../../../shell/forms/only-fault.ts';
import { hasOwnKeyboard, useFirstFocus } from '../../../shell/forms/use-first-focus.ts';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import { gap } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import link from '../../../shell/navigation/link.module.css';
import { Link } from '../../../shell/navigation/link.tsx';
import { CodeEntryField } from '../../code-entry/code-entry-field.tsx';
import { OnlyField } from '../../components/field.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { IdentifierField } from '../../identifier/identifier-field.tsx';
import { AbortLink } from '../../interaction/abort-link.tsx';
import { FlowHeading } from '../../interaction/flow-heading.tsx';
import { flowUrl } from '../../interaction/flow-links.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { forgetLinking } from '../../interaction/linking-note.ts';
import { ProviderPart, Providers } from '../../providers/providers.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { RememberedAccounts } from './remembered-accounts.tsx';
import styles from './sign-in.module.css';
import { UnknownAccountDialog } from './unknown-account-dialog.tsx';
import { type SignInForm, useSignIn } from './use-sign-in.ts';

const lampLevel = ({ state, identifier, entry }: SignInForm): number => {
  if (state.accepted) return 1;
  const hasSecret = state.method === 'code' ? entry.timer || state.code : state.password;
  if (hasSecret) return 0.75;
  return identifier.looksRight ? 0.5 : 0.2;
};

const Identifier = ({ form }: { form: SignInForm }) => {
  const { state, dispatch, identifier } = form;
  const { kind } = identifier.draft;
  const problemText = useProblemText();
  const problem = state.errors.identifier;
  const mend = () => dispatch({ type: 'mended', field: 'identifier' });
  return (
    <IdentifierField
      id="identifier"
      draft={identifier.draft}
      book={identifier.book}
      error={problem && problemText(problem)}
      autoComplete={`${state.method === 'code' && kind === 'phone' ? 'tel' : 'username'} webauthn`}
      onText={identifier.setText}
      onCountry={identifier.setCountry}
      onKind={(next) => {
        mend();
        identifier.setKind(next);
      }}
      onEnter={identifier.prepare}
      onBlur={() => {
        if (problem && identifier.looksRight) mend();
      }}
    />
  );
};

/** The field for the code or the password, by the chosen method. */
const Secret = ({ form }: { form: SignInForm }) => {
  const { state, dispatch, entry, signingIn } = form;
  const problemText = useProblemText();
  if (state.method === 'code') {
    return <CodeEntryField id="code" entry={entry} sent={entry.timer !== undefined} />;
  }
  const problem = state.errors.password;
  return (
    <PasswordField
      id="password"
      value={state.password}
      autoComplete="current-password"
      error={problem && problemText(problem)}
      busy={signingIn.busy}
      onChange={(text) => dispatch({ type: 'typed', field: 'password', text })}
      onBlur={() => {
        if (problem?.code === 'password_blank' && state.password)
          dispatch({ type: 'mended', field: 'password' });
      }}
    />
  );
};

const Form = ({ form, uid, details }: { form: SignInForm } & Pick<ReadyInteraction, 'uid' | 'details'>) => {
  const { t } = useTranslation();
  const { state, dispatch, identifier, entry, signingIn } = form;
  const pick = (account: string) => {
    identifier.setIdentifier(account);
    dispatch({ type: 'mended', field: 'identifier' });
    (state.method === 'code' ? entry.input.current : document.getElementById('password'))?.focus();
  };
  return (
    <form
      className={column.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <ErrorSummary errors={state.errors} fields={form.fields} focusKey={state.refusals}>
        {state.method === 'password' && state.errors.form?.code === 'rate_limited' && (
          <p>{t('login.codeMeanwhile')}</p>
        )}
      </ErrorSummary>
      <RememberedAccounts uid={uid} accounts={details.accounts} onPick={pick} onError={form.refuse} />
      <OnlyField value={onlyFault(state.errors) !== undefined}>
        <Identifier form={form} />
        <Secret form={form} />
      </OnlyField>
      <Button look="primary" type="submit" className={column.submit} busy={signingIn.busy}>
        {t('login.submit')}
      </Button>
    </form>
  );
};

const WaysOut = ({
  form,
  uid,
  details,
  fail,
}: Parameters<typeof Form>[0] & Pick<ReadyInteraction, 'fail'>) => {
  const { t } = useTranslation();
  const locale = useLocale();
  const { draft } = form.identifier;
  return (
    <div className={column.tail}>
      <PasskeyButton uid={uid} fail={fail} onError={form.refuse} />
      <Providers uid={uid} details={details} />
      <div className={link.links}>
        {/* Who came from a provider has an account. */}
        {!details.provider && (
          <span className={prose.linked}>
            {t('login.newHere', { brand: boot.brand.name })}
            {gap(locale)}
            <Link to={flowUrl('/register', uid)} state={{ draft }} onClick={form.keep}>
              {t('login.register')}
            </Link>
          </span>
        )}
        <Link to={flowUrl(RECOVERY_PAGE, uid)} state={{ draft }} onClick={form.keep}>
          {t('login.forgot')}
        </Link>
      </div>
      <AbortLink uid={uid} details={details} onError={form.refuse} />
    </div>
  );
};

/** What the app asks for, by the weakest class that it takes. */
const insistence = {
  mfa: 'login.insistsOnStep',
  phr: 'login.insistsOnPasskey',
  phrh: 'login.insistsOnBoundPasskey',
} as const;

interface SignInProps extends ReadyInteraction {
  /** The person comes from a provider, without a sign-in. */
  returned: boolean;
}

/** The screen that signs in by an identifier and a code or a password. */
export const SignIn = ({ returned, ...interaction }: SignInProps) => {
  const { uid, details, fail } = interaction;
  const { provider: arrival } = details;
  const { t } = useTranslation();
  const form = useSignIn(interaction);
  const { state, dispatch, news } = form;
  useLamp(lampLevel(form));
  // An earlier sign-in that was to add a provider was left.
  useEffect(() => {
    if (!arrival) forgetLinking();
  }, [arrival]);
  // A first field that is filled leads to the second.
  const first = form.identifier.draft.text ? state.method : 'identifier';
  useFirstFocus(() => (hasOwnKeyboard() ? document.getElementById(first) : null));
  return (
    <div className={column.column}>
      <FlowHeading
        title={t('login.title')}
        {...(arrival && { heading: t('register.takenTitle') })}
        invalid={Object.keys(state.errors).length > 0}
        signsIn={!arrival}
        details={details}
      />
      {arrival && (
        <ProviderPart part="lead" height={168} {...interaction} arrival={arrival} onError={form.refuse} />
      )}
      {returned && <ProviderPart part="notice" height={104} providers={details.providers} />}
      {details.insists && (
        <p className={prose.lead}>{t(insistence[details.insists], { app: details.client.name })}</p>
      )}
      {news.length > 0 && (
        <div className={styles.notice}>
          {news.map((key) => (
            <p key={key}>{t(key)}</p>
          ))}
        </div>
      )}
      <Tabs
        label={t('login.methods')}
        panel="sign-in"
        value={state.method}
        tabs={[
          { value: 'code', label: t('login.byCode') },
          { value: 'password', label: t('login.byPassword') },
        ]}
        onChange={(method) => dispatch({ type: 'method-chosen', method })}
      />
      <div id="sign-in" role="tabpanel" aria-labelledby={`tab-${state.method}`}>
        <Form form={form} uid={uid} details={details} />
      </div>
      <WaysOut form={form} uid={uid} details={details} fail={fail} />
      {state.unknown && (
        <UnknownAccountDialog
          onRegister={form.register}
          onClose={() => dispatch({ type: 'unknown-closed' })}
        />
      )}
    </div>
  );
};
