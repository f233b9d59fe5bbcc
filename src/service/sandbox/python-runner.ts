/**
 * The program that runs one piece of Python. It limits itself before it reads the code, takes
 * `{"code", "data"}` from standard input and answers one line of JSON where standard output was.
 */
export const pythonRunner = String.raw`
import ast, io, json, os, resource, signal, sys

def limit(name, value):
    number = getattr(resource, name, None)
    if number is None:
        return
    hard = resource.getrlimit(number)[1]
    most = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(number, (most, most))
    except (ValueError, OSError):
        pass

cpu, memory, output, wall = (int(each) for each in sys.argv[1:5])
limit('RLIMIT_CPU', cpu)
limit('RLIMIT_AS', memory)
limit('RLIMIT_DATA', memory)
limit('RLIMIT_FSIZE', 0)
limit('RLIMIT_CORE', 0)
limit('RLIMIT_NOFILE', 32)
limit('RLIMIT_NPROC', 0)
# Code that only waits uses no time of the processor, and would go on when the service is gone. The
# first process of a namespace hears of signals that it handles, and of no others.
signal.signal(signal.SIGALRM, lambda *_: os._exit(1))
signal.alarm(wall)

answers = os.fdopen(os.dup(1), 'w', encoding='utf-8', newline='\n')
job = json.loads(sys.stdin.buffer.read().decode('utf-8'))
nothing = os.open(os.devnull, os.O_RDWR)
for fd in (0, 1, 2):
    os.dup2(nothing, fd)
sys.stdin, sys.stdout, sys.stderr = io.StringIO(), io.StringIO(), io.StringIO()

def answer(**fields):
    answers.write(json.dumps(fields, allow_nan=False) + '\n')
    answers.flush()
    os._exit(0)

refused = ('subprocess.', 'os.system', 'os.exec', 'os.posix_spawn', 'os.spawn', 'os.fork', 'pty.',
           'socket.', 'ctypes.', 'shutil.', 'os.remove', 'os.rename', 'os.mkdir', 'os.rmdir',
           'os.link', 'os.symlink', 'os.chmod', 'os.chown', 'os.kill', 'os.putenv', 'signal.')
libraries = tuple(os.path.realpath(path) + os.sep for path in {sys.prefix, sys.base_prefix, *sys.path} if path)

def guard(event, args):
    if event.startswith(refused):
        raise PermissionError('Code in a cell is not allowed to use ' + event + '.')
    if event in ('os.listdir', 'os.scandir', 'open'):
        path = args[0]
        if isinstance(path, int):
            raise PermissionError('Code in a cell is not allowed to open files.')
        real = os.path.realpath(os.fsdecode(path or '.'))
        if not (real + os.sep).startswith(libraries):
            raise PermissionError('Code in a cell is not allowed to open files.')
        if event == 'open' and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR):
            raise PermissionError('Code in a cell is not allowed to write files.')

def run():
    tree = ast.parse(job['code'], 'cell')
    body = tree.body
    if body and isinstance(body[-1], ast.Expr):
        body[-1] = ast.copy_location(ast.Return(body[-1].value), body[-1])
    names = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    cell = ast.FunctionDef('__cell__', names, body or [ast.Pass()], [])
    if 'type_params' in ast.FunctionDef._fields:
        cell.type_params = []
    cell.lineno, cell.col_offset = 1, 0
    module = ast.fix_missing_locations(ast.Module([cell], []))
    space = {'__name__': '__cell__', 'data': job['data']}
    exec(compile(module, 'cell', 'exec'), space)
    return space['__cell__']()

try:
    sys.addaudithook(guard)
    text = json.dumps(run(), allow_nan=False, ensure_ascii=False)
except MemoryError:
    answer(reason='too_large', message='The code used more memory than it may.')
except BaseException as error:
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == 'cell':
            line = trace.tb_lineno
        trace = trace.tb_next
    if line is None:
        line = getattr(error, 'lineno', None)
    where = '' if line is None else ' (line ' + str(line) + ')'
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    answer(reason='failed', message=(type(error).__name__ + ': ' + words)[:2000] + where)
if len(text) > output:
    answer(reason='too_large', message='The code returned more than ' + str(output) + ' characters.')
answer(value=text)
`;
