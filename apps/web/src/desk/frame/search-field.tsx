import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { retype } from '../../flow/components/retype.ts';
import { Button } from '../../shell/components/button.tsx';
import { useFirstFocus } from '../../shell/forms/use-first-focus.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { openPage } from '../../shell/navigation/open-page.ts';
import { look, lookup } from './lookup.ts';
import styles from './search-field.module.css';
import { slashKey, useSlashKey } from './slash-key.ts';

/** As long as an e-mail address or a client id that is an address may be. */
const MAX_LENGTH = 512;

/** The one field that finds a person, an app or an error. What it names opens at once. */
export const SearchField = () => {
  const { t } = useTranslation('desk');
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  useFirstFocus(() => (pathname === '/desk' ? input.current : null));
  useSlashKey(useCallback(() => retype(input), []));

  const open = async (path: string) => {
    await openPage(path, () => navigate(path, { replace: path === pathname }));
  };
  const { busy, run } = useSubmit(
    async (wanted: string) => {
      const found = await look(wanted);
      // The next key belongs to the page that opens.
      if (found) input.current?.blur();
      await open(found ?? '/desk');
      if (!found) retype(input);
    },
    (problem) => {
      lookup.set({ text, problem });
      void open('/desk');
      retype(input);
    },
  );
  return (
    <search className={styles.search}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) void run(text.trim());
          else retype(input);
        }}
      >
        <label className="visually-hidden" htmlFor="desk-search">
          {t('desk.search.label')}
        </label>
        <input
          ref={input}
          id="desk-search"
          className={styles.input}
          type="search"
          placeholder={t('desk.search.label')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_LENGTH}
          aria-keyshortcuts="/"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            const { key, currentTarget } = event;
            if (key === 'Escape') currentTarget.blur();
            // The key led here; at the start it is no character of what is looked for.
            if (key === '/' && slashKey.get() && currentTarget.selectionStart === 0) event.preventDefault();
          }}
        />
        <Button type="submit" className={styles.find} busy={busy}>
          {t('desk.search.find')}
        </Button>
      </form>
    </search>
  );
};
