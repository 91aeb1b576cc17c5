internal import CFFmpeg
