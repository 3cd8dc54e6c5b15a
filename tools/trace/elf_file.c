/*
 * Opens ELF files, and reads their functions, labels and source lines, by libelf and libdw.
 */
#include "names.h"

#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heap.h"

struct elf {
    const char *given; /* as on the command line                      */
    char *path;
    struct elf_program program;
    uint64_t load; /* how much higher it lies than it was linked      */
    struct names *names;
    struct lines *lines;
};

static bool wrong(const struct elf *elf, const char *why)
{
    fprintf(stderr, "everybranch: %s: %s\n", elf->given, why);
    return false;
}

/* "FILE@0xN": where it lies.  A file may have such a name: then it is that. */
bool elf_given(const char *given, char **path, uint64_t *load, bool *has_load)
{
    const char *at = strrchr(given, '@');
    struct span number = { at ? at + 1 : "", at ? strlen(at + 1) : 0 };

    *has_load = at && access(given, F_OK) != 0;
    *path = *has_load ? strndup(given, (size_t)(at - given)) : strdup(given);
    if (*has_load && !read_hex(number, load))
        return wrong(&(struct elf){ .given = given },
                     "want FILE@0xN, with the address in hex");
    return *path != NULL;
}

const char *elf_program_open(struct elf_program *program, const char *path)
{
    GElf_Ehdr header;

    *program = (struct elf_program){ .file = open(path, O_RDONLY | O_CLOEXEC) };
    if (program->file < 0)
        return strerror(errno);
    elf_version(EV_CURRENT);
    program->elf = elf_begin(program->file, ELF_C_READ_MMAP, NULL);
    if (elf_kind(program->elf) != ELF_K_ELF || !gelf_getehdr(program->elf, &header))
        return "this is not an ELF file";
    if (header.e_machine != EM_X86_64 && header.e_machine != EM_386)
        return "this is an ELF file of another processor, want x86";
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return "it is not linked: want a linked program or library, not an object file";
    program->has_32_bits = header.e_machine == EM_386;
    program->moves = header.e_type == ET_DYN;
    return NULL;
}

void elf_program_close(struct elf_program *program)
{
    elf_end(program->elf);
    if (program->file >= 0)
        close(program->file);
}

/* A section that holds code, and where it lies. */
static bool is_code(Elf_Scn *section, GElf_Shdr *out)
{
    return gelf_getshdr(section, out) && out->sh_flags & SHF_EXECINSTR &&
           out->sh_type == SHT_PROGBITS;
}

static void add_symbol(struct names *names, const struct elf_program *program,
                       uint64_t load, const GElf_Sym *symbol, const char *name)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    Elf_Scn *section = elf_getscn(program->elf, symbol->st_shndx);
    GElf_Shdr code;
    bool is_sized = symbol->st_size > 0;

    if (!name || !*name || (type != STT_FUNC && type != STT_NOTYPE) || !section ||
        !is_code(section, &code))
        return;
    names_add(names,
              (struct name){ .begin = load + symbol->st_value,
                             .end = load + (is_sized ? symbol->st_value + symbol->st_size
                                                     : code.sh_addr + code.sh_size),
                             .text = format_text("%s", name),
                             .is_function = type == STT_FUNC,
                             .is_sized = is_sized });
}

/* Adds the symbols of the table `type`; false if the file has no such table. */
static bool add_symbols(struct names *names, const struct elf_program *program,
                        uint64_t load, uint32_t type)
{
    GElf_Shdr header;
    GElf_Sym symbol;

    for (Elf_Scn *section = NULL; (section = elf_nextscn(program->elf, section));) {
        Elf_Data *data;

        if (!gelf_getshdr(section, &header) || header.sh_type != type ||
            !(data = elf_getdata(section, NULL)))
            continue;
        for (int i = 0; gelf_getsym(data, i, &symbol); i++)
            add_symbol(names, program, load, &symbol,
                       elf_strptr(program->elf, header.sh_link, symbol.st_name));
        return true;
    }
    return false;
}

bool elf_names(struct names *names, const struct elf_program *program, uint64_t load)
{
    return add_symbols(names, program, load, SHT_SYMTAB) ||
           add_symbols(names, program, load, SHT_DYNSYM);
}

/* Kept once; lines come file by file, so it is mostly the one before. */
static const char *file_name(struct lines *lines, const char *name)
{
    for (size_t i = lines->file_count; i > 0; i--)
        if (strcmp(lines->files[i - 1], name) == 0)
            return lines->files[i - 1];
    lines->files =
        grow(lines->files, &lines->file_capacity, lines->file_count, sizeof(char *));
    return lines->files[lines->file_count++] = format_text("%s", name);
}

static void add_line(struct elf *elf, Dwarf_Line *line)
{
    struct lines *lines = elf->lines;
    const char *file = dwarf_linesrc(line, NULL, NULL);
    struct line_at at = { 0 };
    Dwarf_Addr address;
    bool ends = false;

    if (dwarf_lineaddr(line, &address) || dwarf_lineno(line, &at.line) ||
        dwarf_lineendsequence(line, &ends))
        return;
    at.begin = elf->load + address;
    at.file = ends || !file ? NULL : file_name(lines, file);
    lines->at = grow(lines->at, &lines->capacity, lines->count, sizeof(at));
    lines->at[lines->count++] = at;
}

/* A program without debug information just has no lines. */
static void add_lines(struct elf *elf)
{
    Dwarf *dwarf = dwarf_begin_elf(elf->program.elf, DWARF_C_READ, NULL);
    Dwarf_Off at = 0, next;
    size_t header_size;

    for (; dwarf && dwarf_nextcu(dwarf, at, &next, &header_size, NULL, NULL, NULL) == 0;
         at = next) {
        Dwarf_Die unit;
        Dwarf_Lines *lines;
        size_t count;

        if (!dwarf_offdie(dwarf, at + header_size, &unit) ||
            dwarf_getsrclines(&unit, &lines, &count))
            continue;
        for (size_t i = 0; i < count; i++)
            add_line(elf, dwarf_onesrcline(lines, i));
    }
    dwarf_end(dwarf);
}

/*
 * The bytes of the file where that workload lies: those of the log, or none where an
 * address was given for it, or the workload came from the stick.
 */
static bool is_of_this_build(const struct elf *elf, const struct loaded *loaded,
                             bool has_load)
{
    uint64_t at = loaded->at - elf->load;
    GElf_Shdr header;

    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf->program.elf, section));) {
        Elf_Data *data;

        if (!is_code(section, &header) || at - header.sh_addr >= header.sh_size)
            continue;
        data = elf_getdata(section, NULL);
        return data && data->d_size - (at - header.sh_addr) >= loaded->own->size &&
               memcmp((const char *)data->d_buf + (at - header.sh_addr), loaded->own->code,
                      loaded->own->size) == 0;
    }
    return has_load || loaded->is_bundled; /* another program, or one beside the image */
}

static bool read_all(struct elf *elf, const struct log *log, const struct loaded *loaded,
                     bool has_load)
{
    const char *why = elf_program_open(&elf->program, elf->path);

    if (why)
        return wrong(elf, why);
    if (!has_load)
        elf->load = elf->program.moves ? log->machine.image.base : 0;
    if (!is_of_this_build(elf, loaded, has_load)) {
        fprintf(stderr,
                "everybranch: %s: at the place of %s it has other code than the log: want "
                "the very program that ran there, or its address as FILE@0xN\n",
                elf->given, loaded->own->name);
        return false;
    }
    if (!elf_names(elf->names, &elf->program, elf->load))
        return wrong(elf, "it has no symbols");
    add_lines(elf);
    return true;
}

bool elf_read(struct names *names, struct lines *lines, const struct log *log,
              const struct loaded *loaded, const char *file)
{
    struct elf elf = {
        .given = file, .program = { .file = -1 }, .names = names, .lines = lines
    };
    bool has_load;
    bool good = elf_given(file, &elf.path, &elf.load, &has_load) &&
                read_all(&elf, log, loaded, has_load);

    elf_program_close(&elf.program);
    free(elf.path);
    return good;
}
