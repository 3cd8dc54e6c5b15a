/* Notes in the log on what an option asked for and did not get, or that nothing looks at.
 */
#pragma once

#include "session.h"

void notes_of_options(const struct session *);
