export const codes = {
  minutes: { one: '{{minutes}} minute', other: '{{minutes}} minutes' },
  code: {
    /** The values of `{{purpose}}` in the texts below. */
    purposes: {
      login: 'sign in',
      register: 'create your account',
      recover: 'set a new password',
      bind_phone: 'add this phone number to your account',
      bind_email: 'add this e-mail address to your account',
      'step-up': 'confirm that it is you',
    },
    /** Locked screens and the logs of mail servers show the subject: it never has the code. */
    subject: 'Your {{brand}} code to {{purpose}}',
    sms: '{{code}} is your {{brand}} code to {{purpose}}. Valid for {{duration}}. Never share it.',
    /** Paragraphs with a blank line between them. */
    email: [
      'Hello,',
      'Your {{brand}} code to {{purpose}}:',
      '{{code}}',
      'It is valid for {{duration}} and only in the browser where it was requested. Never share it: {{brand}} will never ask you for it.',
      'If you did not request a code, you can ignore this message. Nobody gets in without it.',
    ].join('\n\n'),
  },
};
