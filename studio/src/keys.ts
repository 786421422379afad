// Whose are the keys that somebody presses: the page's, or those of what has the focus?

/// Of the things that somebody puts something into, those that letters and digits are nothing to.
const PRESSED = ['radio', 'checkbox', 'range', 'button', 'submit', 'reset', 'file', 'color', 'image'];

/// Would a letter be written into it? Then the keys of the page are its own.
export const takesText = (target: { tagName: string; type?: string; isContentEditable?: boolean }): boolean =>
  target.isContentEditable === true || target.tagName === 'TEXTAREA' || target.tagName === 'SELECT' || (target.tagName === 'INPUT' && !PRESSED.includes(target.type ?? 'text'));
