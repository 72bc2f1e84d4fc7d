import type { LanguageTexts } from '../texts.ts';

export const codes: LanguageTexts['codes'] = {
  minutes: {
    one: '{{minutes}} минуту',
    few: '{{minutes}} минуты',
    many: '{{minutes}} минут',
    other: '{{minutes}} минуты',
  },
  code: {
    purposes: {
      login: 'входа',
      register: 'создания аккаунта',
      recover: 'смены пароля',
      bind_phone: 'привязки этого номера телефона',
      bind_email: 'привязки этого адреса эл. почты',
      'step-up': 'подтверждения действия',
    },
    subject: 'Ваш код {{brand}} для {{purpose}}',
    sms: '{{code}} — код {{brand}} для {{purpose}}. Действует {{duration}}. Никому его не сообщайте.',
    email: [
      'Здравствуйте!',
      'Ваш код {{brand}} для {{purpose}}:',
      '{{code}}',
      'Код действует {{duration}} и только в том браузере, где его запросили. Никому его не сообщайте: {{brand}} никогда его не спрашивает.',
      'Если вы не запрашивали код, не обращайте внимания на это письмо. Без кода никто не войдёт в ваш аккаунт.',
    ].join('\n\n'),
  },
};
