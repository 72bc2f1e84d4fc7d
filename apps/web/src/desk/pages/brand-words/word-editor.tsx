import type { DeskBrand, ErrorCode, Locale } from '@candela/contract';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, Field } from '../../../flow/components/field.tsx';
import { prepareDialog } from '../../../flow/dialog/dialog.tsx';
import { Button } from '../../../shell/components/button.tsx';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import { useProblemText } from '../../../shell/forms/form-errors.ts';
import { Facts } from '../../components/facts.tsx';
import { Section } from '../../components/section.tsx';
import styles from './brand-words.module.css';
import { Preview } from './preview.tsx';
import { inForce, type Word } from './word.ts';
import { type WordChange, WordDialog } from './word-dialog.tsx';

interface WordEditorProps {
  brand: DeskBrand;
  locale: Locale;
  word: Word;
  words: readonly Word[];
}

/** What is said without the desk. */
const OtherTexts = ({ word: { builtIn, file }, locale }: Pick<WordEditorProps, 'word' | 'locale'>) => {
  const { t } = useTranslation('desk');
  const said = (text: string) => (
    <span className={styles.said} lang={locale}>
      {text}
    </span>
  );
  const facts = [[t('desk.words.builtIn'), said(builtIn)] as const];
  if (file !== undefined) facts.push([t('desk.words.file'), said(file)]);
  return <Facts facts={facts} />;
};

/** Changes one text: beside it stand the file's and the built-in one, below it what people will read. */
export const WordEditor = ({ brand, locale, word, words }: WordEditorProps) => {
  const { t } = useTranslation('desk');
  const problemText = useProblemText();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState<string>();
  const text = draft ?? inForce(word);
  const [fault, setFault] = useState<ErrorCode>();
  const [asking, setAsking] = useState<WordChange>();
  const ask = (change: WordChange) => {
    prepareDialog();
    setFault(undefined);
    setAsking(change);
  };
  const onDone = (refused: ErrorCode | undefined) => {
    setFault(refused);
    if (!refused) setDraft(undefined);
    setAsking(undefined);
    focusSoon(() => area.current);
  };
  const hint = t('desk.words.ownHint');
  const error = fault && problemText({ code: fault });
  return (
    <Section name="word" title={word.key}>
      <form
        className={styles.editor}
        noValidate
        data-edited={text === inForce(word) ? undefined : ''}
        onSubmit={(event) => {
          event.preventDefault();
          ask({ kind: 'save', text });
        }}
      >
        <OtherTexts word={word} locale={locale} />
        <Field id={id} label={t('desk.words.own')} hint={hint} error={error}>
          <textarea
            ref={area}
            id={id}
            className={styles.area}
            lang={locale}
            rows={Math.min(12, text.split('\n').length + 1)}
            value={text}
            onChange={({ target }) => setDraft(target.value)}
            {...describedBy(id, hint, error)}
          />
        </Field>
        <Preview text={text} locale={locale} brand={brand.name} words={words} />
        <div className={styles.acts}>
          <Button look="primary" type="submit">
            {t('desk.words.save')}
          </Button>
          {word.own !== undefined && (
            <Button onClick={() => ask({ kind: 'back', text: null })}>{t('desk.words.back')}</Button>
          )}
        </div>
      </form>
      {asking && (
        <WordDialog
          brand={brand}
          place={{ locale, key: word.key }}
          change={asking}
          onDone={onDone}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Section>
  );
};
