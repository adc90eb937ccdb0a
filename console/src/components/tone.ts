// Colours that mean something, alike in badges, bars and calendars.

export type Tone = 'high' | 'medium' | 'low' | 'good' | 'neutral' | 'accent';
