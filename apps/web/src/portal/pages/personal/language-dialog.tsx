import type { Account } from '@candela/contract';
import { languages, locales } from '@candela/contract/languages';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../flow/dialog/dialog.tsx';
import { ApiError, call } from '../../../shell/api/client.ts';
import prose from '../../../shell/components/prose.module.css';
import type { Problem } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { chooseLocale, loadTexts } from '../../../shell/language/i18n.ts';
import { accountQuery } from '../../account/queries.ts';
import { ChoiceList } from '../../components/choice-list.tsx';
import { notify } from '../../components/toast.tsx';
import { DialogForm } from '../../dialog/dialog-form.tsx';

const choices = locales.map((value) => ({ value, label: languages[value].name, lang: value }));

/** The dialog for the language of the pages and of the messages. */
export const LanguageDialog = ({ account, onClose }: { account: Account; onClose: () => void }) => {
  const { t, i18n } = useTranslation('account');
  const client = useQueryClient();
  const [locale, setLocale] = useState(account.locale);
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSubmit(async () => {
    setProblem(undefined);
    await loadTexts(locale).catch((cause: unknown) => {
      throw new ApiError('offline', { status: 0 }, { cause });
    });
    const saved = await call('PATCH /api/account', { body: { locale } });
    client.setQueryData(accountQuery.queryKey, saved);
    await chooseLocale(saved.locale);
    // The notice has the new language.
    notify(i18n.t('app.done'));
    onClose();
  }, setProblem);
  return (
    <Dialog title={t('settings.language.title')} form onClose={onClose}>
      <p className={prose.lead}>{t('settings.language.lead')}</p>
      <DialogForm action={t('settings.save')} busy={busy} problem={problem} onSubmit={run} onCancel={onClose}>
        <ChoiceList
          name="locale"
          legend={t('settings.language.title')}
          quiet
          choices={choices}
          value={locale}
          onChange={setLocale}
        />
      </DialogForm>
    </Dialog>
  );
};
