import { RECOVERY_PAGE } from '@candela/contract/pages';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { boot } from '../../boot.ts';
import { Button } from '../../components/button.tsx';
import column from '../../components/column.module.css';
import { ErrorSummary } from '../../components/error-summary.tsx';
import { HiddenUsername } from '../../components/hidden-username.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import prose from '../../components/prose.module.css';
import { useProblemText } from '../../forms/form-errors.ts';
import { generatorRule } from '../../forms/password-rule.ts';
import { useLamp } from '../../frame/flow-frame.tsx';
import { gap } from '../../i18n/format.ts';
import { useLocale } from '../../i18n/use-locale.ts';
import { wholeIdentifier } from '../../identifier/dial-code.ts';
import { FlowHeading } from '../../interaction/flow-heading.tsx';
import { flowUrl } from '../../interaction/flow-links.ts';
import link from '../../navigation/link.module.css';
import { Link } from '../../navigation/link.tsx';
import { LinksToReview, readLinks } from './links-to-review.tsx';
import { OtherIdentifiers, readOthers } from './other-identifiers.tsx';
import type { Background } from './use-background.ts';
import { type PasswordStepField, useNewPassword } from './use-new-password.ts';

interface PasswordStepProps extends Background {
  identifier: string;
  ticket: string;
}

const fields: readonly PasswordStepField[] = ['password', 'repeated'];

/** Step 3: the new password, and what it ends. */
export const PasswordStep = ({ uid, details, identifier, ticket }: PasswordStepProps) => {
  const { t } = useTranslation('account');
  const locale = useLocale();
  const form = useNewPassword({ uid, identifier, ticket });
  const { state } = useLocation();
  const links = readLinks(state);
  const others = readOthers(state);
  const problemText = useProblemText();
  const { errors } = form;
  useLamp(form.done ? 1 : form.fits ? 0.85 : 0.7);

  return (
    <div className={column.column}>
      <FlowHeading
        title={t('recovery.title')}
        heading={t('recovery.passwordTitle')}
        invalid={Object.keys(errors).length > 0}
        details={details}
      />
      <p className={`${prose.lead} ${prose.linked}`}>
        {t('register.passwordText', { identifier: wholeIdentifier(identifier) })}
        {gap(locale)}
        <Link className={link.link} to={flowUrl(RECOVERY_PAGE, uid)} state={{ draft: form.draft }}>
          {t('code.change')}
        </Link>
      </p>
      <form
        className={column.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.saving.run();
        }}
      >
        <ErrorSummary errors={errors} fields={fields} focusKey={form.refusals} />
        <HiddenUsername value={identifier} />
        <PasswordField
          id="password"
          label={t('recovery.password')}
          value={form.password}
          autoComplete="new-password"
          hint={t(`password.${boot.passwordProfile}`)}
          error={errors.password && problemText(errors.password)}
          rules={generatorRule(boot.passwordProfile)}
          busy={form.saving.busy}
          onChange={form.setPassword}
          onBlur={() => form.recheck('password')}
        />
        <PasswordField
          id="repeated"
          label={t('recovery.repeated')}
          value={form.repeated}
          autoComplete="new-password"
          error={errors.repeated && problemText(errors.repeated)}
          busy={form.saving.busy}
          onChange={form.setRepeated}
          onBlur={() => form.recheck('repeated')}
        />
        {others.length > 0 && (
          <OtherIdentifiers others={others} dropped={form.dropped} onToggle={form.toggleDropped} />
        )}
        <p className={prose.lead}>{t(links.length > 0 ? 'recovery.ends' : 'recovery.endsAll')}</p>
        {links.length > 0 && (
          <LinksToReview links={links} withdraw={form.withdraw} onToggle={form.toggleWithdraw} />
        )}
        <Button look="primary" type="submit" className={column.submit} busy={form.saving.busy}>
          {t('recovery.submit')}
        </Button>
      </form>
    </div>
  );
};
