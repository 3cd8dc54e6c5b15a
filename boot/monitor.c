/*
 * monitor.h.  The firmware reads the keys, on whatever it has for a console: keyboard,
 * serial line, or both.  UEFI Specification, "Simple Text Input Protocol".
 */
#include "monitor.h"

#include "firmware.h"
#include "line.h"

#define COMMAND_SIZE 256 /* longer ones are cut, and then refused for their length */

/* Takes the machine for the one command. */
static enum afterwards obey(const char *command)
{
    firmware_pause();
    struct answer answer = kernel_command(command);
    firmware_resume();
    console_print(answer.text);
    return answer.then;
}

/* The next line of the options, without its end; false: there are no more. */
static BOOLEAN next_command(const char **from, char *out)
{
    UINTN length = 0;
    if (!**from)
        return FALSE;
    for (; **from && **from != '\n'; ++*from)
        if (length + 1 < COMMAND_SIZE)
            out[length++] = **from;
    out[length] = 0;
    *from += **from == '\n';
    return TRUE;
}

static enum afterwards obey_options(const char *commands)
{
    static char command[COMMAND_SIZE];
    enum afterwards then = GO_ON;
    while (then == GO_ON && next_command(&commands, command)) {
        console_print(LINE_PROMPT);
        console_print(command);
        console_print("\n");
        then = obey(command);
    }
    return then;
}

/* UEFI Specification, "Simple Text Input Protocol", EFI Scan Codes. */
static unsigned scan_key(UINT16 scan)
{
    static const struct {
        UINT16 scan;
        enum line_key key;
    } keys[] = { { SCAN_UP, LINE_UP },         { SCAN_DOWN, LINE_DOWN },
                 { SCAN_RIGHT, LINE_RIGHT },   { SCAN_LEFT, LINE_LEFT },
                 { SCAN_HOME, LINE_HOME },     { SCAN_END, LINE_END },
                 { SCAN_DELETE, LINE_DELETE }, { SCAN_ESC, LINE_ESCAPE } };
    for (UINTN i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].scan == scan)
            return keys[i].key;
    return 0;
}

/* Waits for a key; false: there will be none. */
static BOOLEAN read_key(unsigned *key)
{
    EFI_INPUT_KEY input;
    UINTN which;
    EFI_STATUS status;
    while ((status = ST->ConIn->ReadKeyStroke(ST->ConIn, &input)) == EFI_NOT_READY)
        if (EFI_ERROR(BS->WaitForEvent(1, &ST->ConIn->WaitForKey, &which)))
            return FALSE;
    if (EFI_ERROR(status))
        return FALSE;
    *key = input.ScanCode               ? scan_key(input.ScanCode)
           : input.UnicodeChar == L'\n' ? LINE_ENTER
                                        : input.UnicodeChar;
    return TRUE;
}

static BOOLEAN read_line(struct line_editor *line)
{
    unsigned key;
    console_print(line_start(line));
    while (read_key(&key)) {
        if (line_take(line, key)) {
            console_print("\n");
            return TRUE;
        }
        console_print(line_drawn(line));
    }
    return FALSE;
}

static enum afterwards converse(void)
{
    static struct line_editor line;
    enum afterwards then = GO_ON;
    if (!ST->ConIn || !ST->ConIn->ReadKeyStroke || !ST->ConOut) {
        console_print("everybranch: the firmware has no console to type at\n");
        return LEAVE;
    }
    if (ST->ConOut->EnableCursor)
        ST->ConOut->EnableCursor(ST->ConOut, TRUE);
    console_print(kernel_greeting());
    console_print("everybranch monitor: `help` lists its commands\n");
    while (then == GO_ON)
        if (!read_line(&line))
            then = LEAVE;
        else if (line.length)
            then = obey(line.text);
    return then;
}

enum afterwards monitor(const struct options *options)
{
    if (options->monitor)
        console_clear(); /* else the firmware's logo stays in the middle of the text */
    enum afterwards then = obey_options(options->commands);
    return then == GO_ON && options->monitor ? converse() : then;
}

/*
 * Another copy of the program has its own log and its own data.
 * UEFI Specification, "EFI_LOADED_IMAGE_DEVICE_PATH_PROTOCOL".
 */
EFI_STATUS monitor_start(EFI_HANDLE image)
{
    static EFI_GUID image_path = EFI_LOADED_IMAGE_DEVICE_PATH_PROTOCOL_GUID;
    static EFI_GUID loaded_image = EFI_LOADED_IMAGE_PROTOCOL_GUID;
    static CHAR16 options[] = L"monitor";
    EFI_DEVICE_PATH *path;
    EFI_LOADED_IMAGE *loaded;
    EFI_HANDLE copy;
    EFI_STATUS status = BS->HandleProtocol(image, &image_path, (void **)&path);
    if (!EFI_ERROR(status))
        status = BS->LoadImage(FALSE, image, path, NULL, 0, &copy);
    if (!EFI_ERROR(status))
        status = BS->HandleProtocol(copy, &loaded_image, (void **)&loaded);
    if (EFI_ERROR(status))
        return status;
    loaded->LoadOptions = options;
    loaded->LoadOptionsSize = sizeof options;
    return BS->StartImage(copy, NULL, NULL);
}
