import type { LanguageTexts } from '../texts.ts';
import { clientErrors } from './client-errors.ts';
import { trial } from './trial.ts';
import { trouble } from './trouble.ts';
import { snippets, usage } from './usage.ts';

export const developers: LanguageTexts['developers'] = {
  developers: {
    title: 'Разработчикам',
    text: 'Приложения, которые вы зарегистрировали в {{brand}}.',
    errorsToday_one: '{{count}} ошибка сегодня',
    errorsToday_few: '{{count}} ошибки сегодня',
    errorsToday_many: '{{count}} ошибок сегодня',
    errorsToday_other: '{{count}} ошибки сегодня',
  },
  newClient: {
    title: 'Регистрация приложения',
  },
  client: {
    title: 'Приложение',
    failedTitle: 'Не удалось загрузить приложение',
    contents: 'На этой странице',
    sections: {
      facts: 'Данные',
      permissions: 'Разрешения',
      secrets: 'Секреты',
      addresses: 'Адреса возврата',
      links: 'Название, ссылки и логотип',
      tryIt: 'Проверка',
      snippets: 'Код для вашей платформы',
      errors: 'Ошибки',
      usage: 'Последние 30 дней',
      members: 'Разработчики',
      history: 'История',
      ending: 'Отключение и удаление',
    },
  },
  errors: clientErrors,
  trial,
  trouble,
  usage,
  snippets,
};
